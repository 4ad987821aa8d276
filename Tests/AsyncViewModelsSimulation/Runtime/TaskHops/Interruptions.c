#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "Interruptions.h"

#include <stdatomic.h>

// How often the running code of this thread has paused.
static _Thread_local int pauses;

void interruptions_pause(void) { pauses++; }
void interruptions_continue(void) { pauses--; }

int interruptions_set_pauses(int count) {
  int before = pauses;
  pauses = count;
  return before;
}

static InterruptionAtPlace at_place;
static InterruptionWait wait_for;
static _Atomic(bool) is_called;

void interruptions_call(InterruptionAtPlace at, InterruptionWait wait) {
  at_place = at;
  wait_for = wait;
  atomic_store_explicit(&is_called, true, memory_order_release);
}

#ifdef __ELF__
#include "Places.h"

#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define SWIFT __attribute__((swiftcall))
#define SELF __attribute__((swift_context))

static bool is_active(void) { return pauses == 0 && atomic_load_explicit(&is_called, memory_order_acquire); }

// In the callbacks, no place counts, and locks are real.
void interruptions_at(const char *place) {
  if (!is_active()) return;
  pauses++;
  at_place(place);
  pauses--;
}

int interruptions_thread(void) { return gettid(); }

static bool wait_until_free(int owner, void *lock, InterruptionIsFree is_free, const char *call, int64_t timeout) {
  if (!is_active()) return false;
  pauses++;
  bool has_waited = wait_for(owner, lock, is_free, call, timeout);
  pauses--;
  return has_waited;
}

// The original function, or that of a sanitizer. Each caller looks it up once.
static void *original(const char *name, const char *interceptor) {
  void *function = dlsym(RTLD_DEFAULT, interceptor);
  return function ? function : dlsym(RTLD_NEXT, name);
}

#define ORIGINAL(type, name)                                                                                                       \
  ({                                                                                                                               \
    static _Atomic(void *) known;                                                                                                  \
    void *function = atomic_load_explicit(&known, memory_order_relaxed);                                                           \
    if (!function) {                                                                                                               \
      function = original(name, "__interceptor_" name);                                                                            \
      atomic_store_explicit(&known, function, memory_order_relaxed);                                                               \
    }                                                                                                                              \
    (type) function;                                                                                                               \
  })

// The code of the program, and of Foundation with its locks. In other libraries, a lock is not a place, because no simulated code can
// tell the difference.
static struct {
  uintptr_t start, end;
} program, foundation;

static int find_range(struct dl_phdr_info *object, size_t size, void *context) {
  uintptr_t start = UINTPTR_MAX, end = 0, here = (uintptr_t)&find_range;
  for (size_t index = 0; index < object->dlpi_phnum; index++) {
    const ElfW(Phdr) *segment = &object->dlpi_phdr[index];
    if (segment->p_type != PT_LOAD) continue;
    uintptr_t first = object->dlpi_addr + segment->p_vaddr;
    if (first < start) start = first;
    if (first + segment->p_memsz > end) end = first + segment->p_memsz;
  }
  if (start <= here && here < end) program.start = start, program.end = end;
  if (object->dlpi_name && strstr(object->dlpi_name, "libFoundation.so")) foundation.start = start, foundation.end = end;
  return 0;
}

static void find_ranges(void) { dl_iterate_phdr(find_range, NULL); }

static pthread_once_t ranges = PTHREAD_ONCE_INIT;

bool interruptions_is_global(const void *address) {
  pthread_once(&ranges, find_ranges);
  return program.start <= (uintptr_t)address && (uintptr_t)address < program.end;
}

static bool is_place(void *caller) {
  bool is_in_program = interruptions_is_global(caller);
  return is_in_program || (foundation.start <= (uintptr_t)caller && (uintptr_t)caller < foundation.end);
}

// The locks of pthread, which `NSLock` uses.

typedef int (*MutexFunction)(pthread_mutex_t *);
#define MUTEX(name) ORIGINAL(MutexFunction, #name)

static bool is_unlocked(void *mutex) {
  if (MUTEX(pthread_mutex_trylock)(mutex) != 0) return false;
  MUTEX(pthread_mutex_unlock)(mutex);
  return true;
}

// The thread that holds a lock, or 0 if it is unknown.
static int owner(pthread_mutex_t *mutex) {
#ifdef __GLIBC__
  // A lock that checks for errors returns one if its owner locks it again.
  bool returns_error = (mutex->__data.__kind & 3) == PTHREAD_MUTEX_ERRORCHECK;
  int thread = __atomic_load_n(&mutex->__data.__owner, __ATOMIC_RELAXED);
  return returns_error && thread == gettid() ? 0 : thread;
#else
  return 0;
#endif
}

int pthread_mutex_lock(pthread_mutex_t *mutex) {
  if (!is_active()) return MUTEX(pthread_mutex_lock)(mutex);
  if (is_place(__builtin_return_address(0))) interruptions_at("before a lock");
  int result;
  do {
    result = MUTEX(pthread_mutex_trylock)(mutex);
  } while (result == EBUSY && wait_until_free(owner(mutex), mutex, is_unlocked, "pthread_mutex_lock", -1));
  return result == EBUSY ? MUTEX(pthread_mutex_lock)(mutex) : result;
}

typedef int (*TimedLock)(pthread_mutex_t *, const struct timespec *);

int pthread_mutex_timedlock(pthread_mutex_t *mutex, const struct timespec *deadline) {
  TimedLock lock = ORIGINAL(TimedLock, "pthread_mutex_timedlock");
  if (!is_active()) return lock(mutex, deadline);
  if (is_place(__builtin_return_address(0))) interruptions_at("before a lock");
  int result;
  while ((result = MUTEX(pthread_mutex_trylock)(mutex)) == EBUSY) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    int64_t left = (int64_t)(deadline->tv_sec - now.tv_sec) * 1000000000 + deadline->tv_nsec - now.tv_nsec;
    if (left <= 0) return ETIMEDOUT;
    // The clock of the world shows another time than that of the system, by which the thread itself would wait.
    if (!wait_until_free(owner(mutex), mutex, is_unlocked, "pthread_mutex_timedlock", left)) return MUTEX(pthread_mutex_lock)(mutex);
  }
  return result;
}

int pthread_mutex_trylock(pthread_mutex_t *mutex) {
  if (is_active() && is_place(__builtin_return_address(0))) interruptions_at("before a lock");
  return MUTEX(pthread_mutex_trylock)(mutex);
}

// `Mutex`, which contains the id of the thread that holds it, or 0. If it is uncontended, the compiler inlines its operations.

#define LOCK_SLOW "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"

static bool is_free_mutex(void *word) { return atomic_load_explicit((_Atomic(uint32_t) *)word, memory_order_relaxed) == 0; }

typedef SWIFT void (*LockSlow)(uint32_t, SELF void *);

SWIFT void interruptions_lock_slow(uint32_t thread, SELF void *word) __asm__(LOCK_SLOW);
SWIFT void interruptions_lock_slow(uint32_t thread, SELF void *word) {
  _Atomic(uint32_t) *state = word;
  // The two highest bits are flags.
  while (wait_until_free(atomic_load(state) & 0x3FFFFFFF, word, is_free_mutex, "Mutex.withLock", -1)) {
    uint32_t expected = 0;
    if (atomic_compare_exchange_strong(state, &expected, thread)) return;
  }
  ORIGINAL(LockSlow, LOCK_SLOW)(thread, word);
}

// The resumption of a continuation.

typedef SWIFT void (*Resume)(void *);
typedef SWIFT void (*ResumeWithError)(void *, void *);

#define RESUMES(name)                                                                                                              \
  SWIFT void name(void *continuation) {                                                                                            \
    interruptions_at("before a resumption");                                                                                       \
    ORIGINAL(Resume, #name)(continuation);                                                                                         \
    interruptions_at("after a resumption");                                                                                        \
  }

RESUMES(swift_continuation_resume)
RESUMES(swift_continuation_throwingResume)

SWIFT void swift_continuation_throwingResumeWithError(void *continuation, void *error) {
  interruptions_at("before a resumption");
  ORIGINAL(ResumeWithError, "swift_continuation_throwingResumeWithError")(continuation, error);
  interruptions_at("after a resumption");
}

// The initial value of a global variable is computed in one step: another thread would wait for it in the runtime.

typedef void (*Once)(void *, void (*)(void *), void *);

void swift_once(void *predicate, void (*body)(void *), void *context) {
  pauses++;
  ORIGINAL(Once, "swift_once")(predicate, body, context);
  pauses--;
}

#else
int interruptions_thread(void) { return 0; }
#endif
