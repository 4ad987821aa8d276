#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "Clocks.h"

#ifdef __linux__
#include <dlfcn.h>
#include <link.h>
#include <poll.h>
#include <stdatomic.h>
#include <stddef.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

typedef int (*Read)(clockid_t, struct timespec *);
typedef int (*Sleep)(const struct timespec *, struct timespec *);
typedef int (*EventWait)(int, struct epoll_event *, int, int);
typedef int (*Poll)(struct pollfd *, nfds_t, const struct timespec *, const sigset_t *);

typedef struct {
  uintptr_t start, end;
} Range;

static Read original_read;
static Sleep original_sleep;
static EventWait original_event_wait;
static Poll original_poll;
static _Atomic(ClockReader) read_virtual;
static _Atomic(ClockSleeper) sleep_virtual;
static _Atomic(ClockWaiter) end_wait;
static Range program, foundation, dispatch;

// Returns the original function, or that of a sanitizer, which also has to see the calls.
static void *original(const char *name, const char *interceptor) {
  void *function = dlsym(RTLD_DEFAULT, interceptor);
  return function ? function : dlsym(RTLD_NEXT, name);
}

__attribute__((constructor)) static void find_clocks(void) {
  original_read = (Read)original("clock_gettime", "__interceptor_clock_gettime");
  original_sleep = (Sleep)original("nanosleep", "__interceptor_nanosleep");
  original_event_wait = (EventWait)original("epoll_wait", "__interceptor_epoll_wait");
  original_poll = (Poll)original("ppoll", "__interceptor_ppoll");
}

static int find_range(struct dl_phdr_info *object, size_t size, void *context) {
  (void)size, (void)context;
  Range range = {UINTPTR_MAX, 0};
  for (size_t index = 0; index < object->dlpi_phnum; index++) {
    const ElfW(Phdr) *segment = &object->dlpi_phdr[index];
    if (segment->p_type != PT_LOAD) continue;
    uintptr_t start = object->dlpi_addr + segment->p_vaddr, end = start + segment->p_memsz;
    if (start < range.start) range.start = start;
    if (end > range.end) range.end = end;
  }
  uintptr_t here = (uintptr_t)&find_range;
  if (range.start <= here && here < range.end) program = range;
  if (object->dlpi_name && strstr(object->dlpi_name, "libFoundation.so")) foundation = range;
  if (object->dlpi_name && strstr(object->dlpi_name, "libdispatch.so")) dispatch = range;
  return 0;
}

static bool contains(Range range, void *address) { return range.start <= (uintptr_t)address && (uintptr_t)address < range.end; }

static bool is_wall(clockid_t clock) {
  return clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE || clock == CLOCK_REALTIME_ALARM || clock == CLOCK_TAI;
}

static bool is_uptime(clockid_t clock) {
  return clock == CLOCK_MONOTONIC || clock == CLOCK_MONOTONIC_COARSE || clock == CLOCK_MONOTONIC_RAW || clock == CLOCK_BOOTTIME ||
         clock == CLOCK_BOOTTIME_ALARM;
}

// The sanitizer for threads must not instrument what it may call before it is initialized.
#define UNCHECKED __attribute__((disable_sanitizer_instrumentation))

UNCHECKED static int read_clock(clockid_t clock, struct timespec *time, void *caller) {
  ClockReader reader = atomic_load_explicit(&read_virtual, memory_order_acquire);
  if (reader && (is_wall(clock) || is_uptime(clock))) {
    int64_t nanoseconds = reader(is_wall(clock), contains(dispatch, caller));
    if (nanoseconds >= 0) {
      time->tv_sec = nanoseconds / 1000000000;
      time->tv_nsec = nanoseconds % 1000000000;
      return 0;
    }
  }
  // A constructor of a library can read a clock before `find_clocks` runs.
  return original_read ? original_read(clock, time) : (int)syscall(SYS_clock_gettime, clock, time);
}

UNCHECKED int clock_gettime(clockid_t clock, struct timespec *time) { return read_clock(clock, time, __builtin_return_address(0)); }

UNCHECKED int gettimeofday(struct timeval *restrict result, void *restrict zone) {
  struct timespec time;
  if (read_clock(CLOCK_REALTIME, &time, __builtin_return_address(0)) != 0) return -1;
  if (zone) memset(zone, 0, sizeof(struct timezone));
  *result = (struct timeval){time.tv_sec, time.tv_nsec / 1000};
  return 0;
}

UNCHECKED time_t time(time_t *result) {
  struct timespec time;
  if (read_clock(CLOCK_REALTIME_COARSE, &time, __builtin_return_address(0)) != 0) return -1;
  if (result) *result = time.tv_sec;
  return time.tv_sec;
}

UNCHECKED int timespec_get(struct timespec *time, int base) {
  if (base != TIME_UTC) return 0;
  return read_clock(CLOCK_REALTIME, time, __builtin_return_address(0)) == 0 ? base : 0;
}

// Whether the caller is Foundation or the program. The other callers are runtimes, which wait for threads outside the world.
static bool is_app(void *caller) { return contains(program, caller) || contains(foundation, caller); }

UNCHECKED int nanosleep(const struct timespec *time, struct timespec *rest) {
  ClockSleeper sleeper = atomic_load_explicit(&sleep_virtual, memory_order_acquire);
  if (sleeper && is_app(__builtin_return_address(0)) && sleeper(time->tv_sec, time->tv_nsec)) return 0;
  return original_sleep ? original_sleep(time, rest) : (int)syscall(SYS_nanosleep, time, rest);
}

static bool ends_wait(void *caller) {
  ClockWaiter waiter = atomic_load_explicit(&end_wait, memory_order_acquire);
  return waiter && is_app(caller) && waiter();
}

int epoll_wait(int set, struct epoll_event *events, int count, int timeout) {
  return timeout != 0 && ends_wait(__builtin_return_address(0)) ? 0 : original_event_wait(set, events, count, timeout);
}

int ppoll(struct pollfd *descriptors, nfds_t count, const struct timespec *timeout, const sigset_t *signals) {
  bool only_looks = timeout && timeout->tv_sec == 0 && timeout->tv_nsec == 0;
  return !only_looks && ends_wait(__builtin_return_address(0)) ? 0 : original_poll(descriptors, count, timeout, signals);
}

void clocks_replace(ClockReader reader, ClockSleeper sleeper, ClockWaiter waiter) {
  dl_iterate_phdr(find_range, NULL);
  atomic_store_explicit(&end_wait, waiter, memory_order_release);
  atomic_store_explicit(&sleep_virtual, sleeper, memory_order_release);
  atomic_store_explicit(&read_virtual, reader, memory_order_release);
}

#else

void clocks_replace(ClockReader reader, ClockSleeper sleeper, ClockWaiter waiter) { (void)reader, (void)sleeper, (void)waiter; }

#endif
