// The part of Apple's C library that this package uses, declared as in the headers of Apple's open-source releases (Libc,
// libpthread, libmalloc, XNU), including the nullability and the attributes that Swift sees.
#ifndef DARWIN_H
#define DARWIN_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define NOASYNC(text) __attribute__((swift_attr("@available(*, noasync, message: \"" text "\")")))
#define UNAVAILABLE_ON(platform) __attribute__((availability(platform, unavailable)))

// sys/types.h
typedef long ssize_t;
typedef long time_t;
typedef long long off_t;
typedef int32_t pid_t;
typedef int32_t suseconds_t;
typedef uint16_t mode_t;

// time.h
struct timespec { time_t tv_sec; long tv_nsec; };
struct timeval { time_t tv_sec; suseconds_t tv_usec; };
struct linger { int l_onoff; int l_linger; };
typedef enum {
  _CLOCK_REALTIME = 0,
  _CLOCK_UPTIME_RAW = 8,
  _CLOCK_PROCESS_CPUTIME_ID = 12,
  _CLOCK_THREAD_CPUTIME_ID = 16
} clockid_t;
typedef unsigned long clock_t;
#define CLOCKS_PER_SEC ((clock_t)1000000)
clock_t clock(void);
int clock_gettime(clockid_t clock, struct timespec *time);
uint64_t clock_gettime_nsec_np(clockid_t clock);

// pthread.h
_Pragma("clang assume_nonnull begin")
struct _opaque_pthread_t { long __sig; void *_Nullable __cleanup_stack; char __opaque[8176]; };
typedef struct _opaque_pthread_t *pthread_t;
typedef unsigned long pthread_key_t;
pthread_t pthread_self(void);
int pthread_equal(pthread_t _Nullable, pthread_t _Nullable);
int pthread_main_np(void);
void *_Nullable pthread_getspecific(pthread_key_t) NOASYNC("Use Task Local Values instead");
int pthread_key_create(pthread_key_t *, void (*_Nullable)(void *)) NOASYNC("Use Task Local Values instead");
int pthread_setspecific(pthread_key_t, const void *_Nullable) NOASYNC("Use Task Local Values instead");
_Pragma("clang assume_nonnull end")

// sys/qos.h
typedef enum : unsigned int {
  QOS_CLASS_USER_INTERACTIVE = 0x21,
  QOS_CLASS_USER_INITIATED = 0x19,
  QOS_CLASS_DEFAULT = 0x15,
  QOS_CLASS_UTILITY = 0x11,
  QOS_CLASS_BACKGROUND = 0x09,
  QOS_CLASS_UNSPECIFIED = 0x00
} qos_class_t;
qos_class_t qos_class_self(void);

// dlfcn.h
#define RTLD_LAZY 1
void *dlopen(const char *path, int mode);
void *dlsym(void *handle, const char *symbol);
typedef struct dl_info {
  const char *dli_fname;
  void *dli_fbase;
  const char *dli_sname;
  void *dli_saddr;
} Dl_info;
int dladdr(const void *address, Dl_info *info);

// unistd.h
#define STDIN_FILENO 0
#define STDOUT_FILENO 1
#define STDERR_FILENO 2
#define R_OK 4
int access(const char *, int);
int close(int);
int flock(int, int);
int fsync(int);
int execv(const char *path, char *const *arguments) UNAVAILABLE_ON(tvos) UNAVAILABLE_ON(watchos);
pid_t getpid(void);
int isatty(int);
int link(const char *, const char *);
int pause(void);
int pipe(int[2]);
int dup(int);
int dup2(int, int);
void *dlsym(void *, const char *);
ssize_t read(int, void *, size_t);
int rename(const char *, const char *);
int unlink(const char *);
int usleep(unsigned int);
ssize_t write(int, const void *, size_t);

// stdlib.h, string.h, stdio.h
#define EXIT_FAILURE 1
void exit(int) __attribute__((noreturn));
_Noreturn void abort(void);
int atexit(void (*_Nonnull)(void));
void free(void *);
char *getenv(const char *);
char *realpath(const char *restrict, char *restrict);
int setenv(const char *, const char *, int);
int unsetenv(const char *);
char *strerror(int);
char *strdup(const char *);
size_t strlen(const char *);
int memcmp(const void *, const void *, size_t);

// errno.h; Darwin.swiftinterface declares `errno`.
int *__error(void);
#define EPERM 1
#define ENOENT 2
#define EINTR 4
#define EIO 5
#define ENXIO 6
#define EBADF 9
#define ENOMEM 12
#define EACCES 13
#define EEXIST 17
#define EINVAL 22
#define ENFILE 23
#define EMFILE 24
#define ENOTTY 25
#define ENOSPC 28
#define EMLINK 31
#define EAGAIN 35
#define EWOULDBLOCK EAGAIN
#define ENOTSUP 45
#define ECONNRESET 54
#define ECONNABORTED 53
#define ENOBUFS 55
#define ELOOP 62
#define ENAMETOOLONG 63
#define ENOSYS 78
#define EOPNOTSUPP 102

// sys/stat.h; Darwin.swiftinterface declares `S_IFMT` and `S_IFREG`.
struct stat {
  int32_t st_dev;
  mode_t st_mode;
  uint16_t st_nlink;
  uint64_t st_ino;
  uint32_t st_uid, st_gid;
  int32_t st_rdev;
  struct timespec st_atimespec, st_mtimespec, st_ctimespec, st_birthtimespec;
  int64_t st_size, st_blocks;
  int32_t st_blksize;
  uint32_t st_flags, st_gen;
  int32_t st_lspare;
  int64_t st_qspare[2];
};
int fstat(int, struct stat *);
int mkfifo(const char *, mode_t);

// sys/mman.h; Darwin.swiftinterface declares `MAP_FAILED`.
#define PROT_READ 1
#define PROT_WRITE 2
#define MAP_SHARED 1
void *mmap(void *, size_t, int, int, int, off_t);
int munmap(void *, size_t);

// fcntl.h; Darwin.swiftinterface declares `fcntl` and `open`.
#define F_GETFD 1
#define F_SETFD 2
#define F_GETFL 3
#define F_SETFL 4
#define F_FULLFSYNC 51
#define FD_CLOEXEC 1
#define O_RDONLY 0
#define O_WRONLY 1
#define O_NONBLOCK 0x4
#define O_RDWR 0x2
#define O_CREAT 0x200
#define O_EXCL 0x800
#define O_DIRECTORY 0x100000
#define O_CLOEXEC 0x1000000
#define LOCK_EX 0x02
#define LOCK_NB 0x04
#define LOCK_UN 0x08

// signal.h; Darwin.swiftinterface declares `SIG_DFL` and `SIG_IGN`.
#define SIGHUP 1
#define SIGINT 2
#define SIGQUIT 3
#define SIGILL 4
#define SIGTRAP 5
#define SIGABRT 6
#define SIGFPE 8
#define SIGKILL 9
#define SIGBUS 10
#define SIGSEGV 11
#define SIGSYS 12
#define SIGPIPE 13
#define SIGTERM 15
#define SIGTSTP 18
#define SIGCONT 19
#define SIGWINCH 28
#define SA_ONSTACK 0x0001
#define SA_RESTART 0x0002
#define SIG_UNBLOCK 2
typedef void (*sig_t)(int);
typedef uint32_t sigset_t;
struct __siginfo;
union __sigaction_u {
  void (*__sa_handler)(int);
  void (*__sa_sigaction)(int, struct __siginfo *, void *);
};
struct sigaction { union __sigaction_u __sigaction_u; sigset_t sa_mask; int sa_flags; };
typedef struct { void *ss_sp; unsigned long ss_size; int ss_flags; } stack_t;
int sigaltstack(const stack_t *restrict, stack_t *restrict) UNAVAILABLE_ON(tvos) UNAVAILABLE_ON(watchos);
int kill(pid_t, int);
int pthread_sigmask(int, const sigset_t *, sigset_t *);
int raise(int);
int sigaction(int, const struct sigaction *restrict, struct sigaction *restrict);
int sigaddset(sigset_t *, int);
int sigemptyset(sigset_t *);
void (*signal(int, void (*)(int)))(int);

// termios.h, sys/ttycom.h; Darwin.swiftinterface declares `ioctl` and `TIOCGWINSZ`.
#define INLCR 0x00000040
#define ICRNL 0x00000100
#define ISTRIP 0x00000020
#define IXON 0x00000200
#define ECHO 0x00000008
#define ICANON 0x00000100
#define IEXTEN 0x00000400
#define TCSANOW 0
typedef unsigned long tcflag_t, speed_t;
typedef unsigned char cc_t;
struct termios {
  tcflag_t c_iflag, c_oflag, c_cflag, c_lflag;
  cc_t c_cc[20];
  speed_t c_ispeed, c_ospeed;
};
struct winsize { unsigned short ws_row, ws_col, ws_xpixel, ws_ypixel; };
int tcgetattr(int, struct termios *);
int tcsetattr(int, int, const struct termios *);

// sys/socket.h, netinet/in.h, netinet/tcp.h
#define AF_INET 2
#define SOCK_STREAM 1
#define SOL_SOCKET 0xffff
#define SO_LINGER 0x0080
#define SO_RCVTIMEO 0x1006
#define SO_NOSIGPIPE 0x1022
#define SHUT_WR 1
#define IPPROTO_TCP 6
#define TCP_NODELAY 0x01
#define MSG_PEEK 0x2
#define MSG_DONTWAIT 0x80
#define MSG_NOSIGNAL 0x80000
typedef uint32_t socklen_t;
typedef uint8_t sa_family_t;
typedef uint16_t in_port_t;
typedef uint32_t in_addr_t;
struct in_addr { in_addr_t s_addr; };
struct sockaddr { uint8_t sa_len; sa_family_t sa_family; char sa_data[14]; };
struct sockaddr_in {
  uint8_t sin_len;
  sa_family_t sin_family;
  in_port_t sin_port;
  struct in_addr sin_addr;
  char sin_zero[8];
};
int accept(int, struct sockaddr *restrict, socklen_t *restrict);
int bind(int, const struct sockaddr *, socklen_t);
int connect(int, const struct sockaddr *, socklen_t);
int getsockname(int, struct sockaddr *restrict, socklen_t *restrict);
int listen(int, int);
ssize_t recv(int, void *, size_t, int);
ssize_t send(int, const void *, size_t, int);
int setsockopt(int, int, int, const void *, socklen_t);
int shutdown(int, int);
int socket(int, int, int);

// poll.h
#define POLLIN 0x1
#define POLLOUT 0x4
#define POLLERR 0x8
#define POLLHUP 0x10
#define POLLNVAL 0x20
typedef unsigned int nfds_t;
struct pollfd { int fd; short events; short revents; };
int poll(struct pollfd *, nfds_t, int);

// sched.h, sys/sysctl.h, sys/resource.h
int sched_yield(void);
int sysctlbyname(const char *, void *, size_t *, void *, size_t);
#define RUSAGE_SELF 0
struct rusage {
  struct timeval ru_utime, ru_stime;
  long ru_maxrss, ru_ixrss, ru_idrss, ru_isrss, ru_minflt, ru_majflt, ru_nswap, ru_inblock, ru_oublock;
  long ru_msgsnd, ru_msgrcv, ru_nsignals, ru_nvcsw, ru_nivcsw;
};
int getrusage(int, struct rusage *);

// malloc/malloc.h
typedef struct malloc_statistics_t {
  unsigned blocks_in_use;
  size_t size_in_use, max_size_in_use, size_allocated;
} malloc_statistics_t;
typedef struct _malloc_zone_t malloc_zone_t;
void malloc_zone_statistics(malloc_zone_t *zone, malloc_statistics_t *statistics);

// mach/mach.h
typedef uint32_t natural_t;
typedef int integer_t;
typedef int kern_return_t;
typedef natural_t mach_port_t;
typedef mach_port_t mach_port_name_t, ipc_space_t, task_t, task_inspect_t, task_name_t, thread_t, thread_act_t, vm_map_t;
typedef thread_act_t *thread_act_array_t;
typedef natural_t mach_msg_type_number_t, task_flavor_t;
typedef integer_t *task_info_t;
typedef uintptr_t vm_address_t, vm_size_t;
typedef uint64_t mach_vm_size_t;
#define KERN_SUCCESS 0
#define TASK_VM_INFO 22
struct task_vm_info {
  mach_vm_size_t virtual_size;
  integer_t region_count, page_size;
  mach_vm_size_t resident_size, phys_footprint;
};
typedef struct task_vm_info task_vm_info_data_t;
extern mach_port_t mach_task_self_;
kern_return_t task_info(task_name_t, task_flavor_t, task_info_t, mach_msg_type_number_t *);
kern_return_t task_threads(task_inspect_t, thread_act_array_t *, mach_msg_type_number_t *);
kern_return_t mach_port_deallocate(ipc_space_t, mach_port_name_t);
kern_return_t vm_deallocate(vm_map_t, vm_address_t, vm_size_t);

#endif
