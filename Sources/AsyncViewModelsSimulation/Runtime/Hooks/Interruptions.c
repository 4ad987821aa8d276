#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "Interruptions.h"

#include <stdatomic.h>

// Whether this thread runs code of a world, and how often the simulator has paused it.
static _Thread_local bool runs_world;
static _Thread_local int pauses;

void interruptions_pause(void) { pauses++; }
void interruptions_continue(void) { pauses--; }

bool interruptions_is_in_world(void) { return runs_world && pauses == 0; }

InterruptionState interruptions_enter_world(void) {
  InterruptionState before = {runs_world, pauses};
  runs_world = true;
  pauses = 0;
  return before;
}

void interruptions_leave_world(InterruptionState before) {
  runs_world = before.runs_world;
  pauses = before.pauses;
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
#include "Callers.h"
#include "Originals.h"

#include <errno.h>
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define SWIFT __attribute__((swiftcall))
#define SELF __attribute__((swift_context))

// How many initial values of global variables this thread computes.
static _Thread_local int initializers;
// How many of them belong to variables of the program, and not of a library.
static _Thread_local int program_initializers;

static bool is_active(void) { return interruptions_is_in_world() && atomic_load_explicit(&is_called, memory_order_acquire); }

bool interruptions_are_possible(void) { return is_active() && initializers == 0; }
bool interruptions_are_initializing(void) { return is_active() && program_initializers > 0; }

// In the callbacks, no place counts, and locks are real.
void interruptions_at(const char *place) {
  if (!interruptions_are_possible()) return;
  pauses++;
  at_place(place);
  pauses--;
}

int interruptions_thread(void) {
  static _Thread_local int number;
  if (number == 0) number = (int)syscall(SYS_gettid);
  return number;
}

static bool wait_until_free(int owner, void *lock, InterruptionIsFree is_free, const char *call, int64_t timeout) {
  if (!is_active()) return false;
  pauses++;
  bool has_waited = wait_for(owner, lock, is_free, call, timeout);
  pauses--;
  return has_waited;
}

// The locks of pthread, which `NSLock` uses.

typedef int (*MutexFunction)(pthread_mutex_t *);
#define MUTEX(name) ORIGINAL(MutexFunction, #name)

// The thread that holds a lock, or 0 if it is unknown.
static int owner(pthread_mutex_t *mutex) {
#ifdef __GLIBC__
  // A lock that checks for errors returns one if its owner locks it again.
  bool returns_error = (mutex->__data.__kind & 3) == PTHREAD_MUTEX_ERRORCHECK;
  int thread = __atomic_load_n(&mutex->__data.__owner, __ATOMIC_RELAXED);
  return returns_error && thread == interruptions_thread() ? 0 : thread;
#else
  return 0;
#endif
}

static bool is_unlocked(void *mutex) {
  // The owner of a recursive lock could lock it again.
  if (owner(mutex) == interruptions_thread() || MUTEX(pthread_mutex_trylock)(mutex) != 0) return false;
  MUTEX(pthread_mutex_unlock)(mutex);
  return true;
}

int pthread_mutex_lock(pthread_mutex_t *mutex) {
  if (!is_active()) return MUTEX(pthread_mutex_lock)(mutex);
  if (callers_is_app(__builtin_return_address(0))) interruptions_at("before a lock");
  int result;
  do {
    result = MUTEX(pthread_mutex_trylock)(mutex);
  } while (result == EBUSY && wait_until_free(owner(mutex), mutex, is_unlocked, "pthread_mutex_lock", -1));
  return result == EBUSY ? MUTEX(pthread_mutex_lock)(mutex) : result;
}

// The nanoseconds until a deadline, at most about 32 years.
static int64_t time_left(const struct timespec *deadline) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  int64_t seconds = (int64_t)deadline->tv_sec - now.tv_sec, limit = 1000000000;
  if (seconds > limit) seconds = limit;
  if (seconds < -limit) seconds = -limit;
  return seconds * 1000000000 + deadline->tv_nsec - now.tv_nsec;
}

// The end of a wait for a thread outside the world. The clock of the world shows another time than
// that of the system.
static struct timespec real_deadline(int64_t nanoseconds) {
  struct timespec end;
  syscall(SYS_clock_gettime, CLOCK_REALTIME, &end);
  end.tv_sec += nanoseconds / 1000000000 + 1;
  return end;
}

typedef int (*TimedLock)(pthread_mutex_t *, const struct timespec *);

int pthread_mutex_timedlock(pthread_mutex_t *mutex, const struct timespec *deadline) {
  TimedLock lock = ORIGINAL(TimedLock, "pthread_mutex_timedlock");
  if (!is_active()) return lock(mutex, deadline);
  if (callers_is_app(__builtin_return_address(0))) interruptions_at("before a lock");
  int result;
  while ((result = MUTEX(pthread_mutex_trylock)(mutex)) == EBUSY) {
    int64_t left = time_left(deadline);
    if (left <= 0) return ETIMEDOUT;
    if (wait_until_free(owner(mutex), mutex, is_unlocked, "pthread_mutex_timedlock", left)) continue;
    struct timespec end = real_deadline(left);
    return lock(mutex, &end);
  }
  return result;
}

int pthread_mutex_trylock(pthread_mutex_t *mutex) {
  if (is_active() && callers_is_app(__builtin_return_address(0))) interruptions_at("before a lock");
  return MUTEX(pthread_mutex_trylock)(mutex);
}

// The locks of pthread with one writer or several readers.

typedef int (*ReadWriteFunction)(pthread_rwlock_t *);
typedef int (*TimedReadWriteLock)(pthread_rwlock_t *, const struct timespec *);
#define READ_WRITE(name) ORIGINAL(ReadWriteFunction, #name)

// The thread that holds a lock for writing. The readers are unknown.
static int writer(pthread_rwlock_t *lock) {
#ifdef __GLIBC__
  int thread = __atomic_load_n(&lock->__data.__cur_writer, __ATOMIC_RELAXED);
  return thread ? thread : INTERRUPTIONS_ANY_OWNER;
#else
  return 0;
#endif
}

static bool is_readable(void *lock) {
  return READ_WRITE(pthread_rwlock_tryrdlock)(lock) == 0 && READ_WRITE(pthread_rwlock_unlock)(lock) == 0;
}

static bool is_writable(void *lock) {
  return READ_WRITE(pthread_rwlock_trywrlock)(lock) == 0 && READ_WRITE(pthread_rwlock_unlock)(lock) == 0;
}

// `attempt` takes a lock or fails at once. Returns EBUSY if this thread has to wait itself, or
// fails: its owner cannot lock it again.
static int take(pthread_rwlock_t *lock, ReadWriteFunction attempt, InterruptionIsFree is_free, const char *call, void *caller) {
  if (callers_is_app(caller)) interruptions_at("before a lock");
  int result;
  do {
    result = attempt(lock);
  } while (result == EBUSY && writer(lock) != interruptions_thread() && wait_until_free(writer(lock), lock, is_free, call, -1));
  return result;
}

static int take_in_time(
    pthread_rwlock_t *lock, const struct timespec *deadline, ReadWriteFunction attempt, InterruptionIsFree is_free,
    const char *call, void *caller) {
  if (callers_is_app(caller)) interruptions_at("before a lock");
  int result;
  while ((result = attempt(lock)) == EBUSY) {
    int64_t left = time_left(deadline);
    if (left <= 0) return ETIMEDOUT;
    if (writer(lock) == interruptions_thread() || !wait_until_free(writer(lock), lock, is_free, call, left)) break;
  }
  return result;
}

#define TAKES(name, attempt, is_free)                                                                                              \
  int name(pthread_rwlock_t *lock) {                                                                                               \
    if (!is_active()) return READ_WRITE(name)(lock);                                                                               \
    int result = take(lock, READ_WRITE(attempt), is_free, #name, __builtin_return_address(0));                                     \
    return result == EBUSY ? READ_WRITE(name)(lock) : result;                                                                      \
  }

TAKES(pthread_rwlock_rdlock, pthread_rwlock_tryrdlock, is_readable)
TAKES(pthread_rwlock_wrlock, pthread_rwlock_trywrlock, is_writable)

#define TAKES_IN_TIME(name, attempt, is_free)                                                                                      \
  int name(pthread_rwlock_t *lock, const struct timespec *deadline) {                                                              \
    TimedReadWriteLock original_lock = ORIGINAL(TimedReadWriteLock, #name);                                                        \
    if (!is_active()) return original_lock(lock, deadline);                                                                        \
    int result = take_in_time(lock, deadline, READ_WRITE(attempt), is_free, #name, __builtin_return_address(0));                   \
    if (result != EBUSY) return result;                                                                                            \
    struct timespec end = real_deadline(time_left(deadline));                                                                      \
    return original_lock(lock, &end);                                                                                              \
  }

TAKES_IN_TIME(pthread_rwlock_timedrdlock, pthread_rwlock_tryrdlock, is_readable)
TAKES_IN_TIME(pthread_rwlock_timedwrlock, pthread_rwlock_trywrlock, is_writable)

#define ATTEMPTS(name)                                                                                                             \
  int name(pthread_rwlock_t *lock) {                                                                                               \
    if (is_active() && callers_is_app(__builtin_return_address(0))) interruptions_at("before a lock");                             \
    return READ_WRITE(name)(lock);                                                                                                 \
  }

ATTEMPTS(pthread_rwlock_tryrdlock)
ATTEMPTS(pthread_rwlock_trywrlock)

// `Mutex`, which contains the id of the thread that holds it, or 0. If it is uncontended, the
// compiler inlines its operations.

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

// `CheckedContinuation.resume(returning:)` and `resume(throwing:)`. All arguments are in these
// registers, and nothing is returned.

typedef SWIFT void (*ResumeChecked)(void *, void *, void *, void *, void *, void *, SELF void *);

#define RESUMES_CHECKED(name, symbol)                                                                                              \
  SWIFT void name(void *a, void *b, void *c, void *d, void *e, void *f, SELF void *self) __asm__(symbol);                          \
  SWIFT void name(void *a, void *b, void *c, void *d, void *e, void *f, SELF void *self) {                                         \
    interruptions_at("before a resumption");                                                                                       \
    ORIGINAL(ResumeChecked, symbol)(a, b, c, d, e, f, self);                                                                       \
    interruptions_at("after a resumption");                                                                                        \
  }

RESUMES_CHECKED(interruptions_resume_returning, "$sScC6resume9returningyxn_tF")
RESUMES_CHECKED(interruptions_resume_throwing, "$sScC6resume8throwingyq_n_tF")

// The initial value of a global variable is computed without interruptions, but it can wait. Other
// code of the world that needs the value then waits in the world.

typedef void (*Once)(void *, void (*)(void *), void *);

typedef struct {
  void *predicate;
  void (*body)(void *);
  void *context;
  bool is_of_program;
} Initializer;

// The initial values that code of worlds computes now. An entry without a thread is free.
static struct {
  _Atomic(int) thread;
  _Atomic(void *) predicate;
} running_initializers[64];
enum { INITIALIZER_COUNT = sizeof running_initializers / sizeof *running_initializers };

static int initializer_thread(void *predicate) {
  for (int index = 0; index < INITIALIZER_COUNT; index++) {
    int thread = atomic_load(&running_initializers[index].thread);
    if (thread != 0 && atomic_load(&running_initializers[index].predicate) == predicate) return thread;
  }
  return 0;
}

static bool is_initialized(void *predicate) { return initializer_thread(predicate) == 0; }

// Returns the index of the entry, or -1 if there are too many. Other code then waits in the
// runtime.
static int add_initializer(void *predicate) {
  for (int index = 0; index < INITIALIZER_COUNT; index++) {
    int none = 0;
    if (!atomic_compare_exchange_strong(&running_initializers[index].thread, &none, interruptions_thread())) continue;
    atomic_store(&running_initializers[index].predicate, predicate);
    return index;
  }
  return -1;
}

static void remove_initializer(int index) {
  if (index < 0) return;
  atomic_store(&running_initializers[index].predicate, NULL);
  atomic_store(&running_initializers[index].thread, 0);
}

static void initialize(void *argument) {
  Initializer *initializer = argument;
  int index = is_active() ? add_initializer(initializer->predicate) : -1;
  initializers++;
  program_initializers += initializer->is_of_program;
  initializer->body(initializer->context);
  program_initializers -= initializer->is_of_program;
  initializers--;
  remove_initializer(index);
}

void swift_once(void *predicate, void (*body)(void *), void *context) {
  Initializer initializer = {predicate, body, context, callers_is_program(__builtin_return_address(0))};
  int thread = initializer_thread(predicate);
  while (thread != 0 && thread != interruptions_thread() &&
         wait_until_free(thread, predicate, is_initialized, "the initial value of a global variable", -1))
    thread = initializer_thread(predicate);
  ORIGINAL(Once, "swift_once")(predicate, initialize, &initializer);
}

#else
int interruptions_thread(void) { return 0; }
bool interruptions_are_possible(void) { return false; }
bool interruptions_are_initializing(void) { return false; }
void interruptions_at(const char *place) { (void)place; }
#endif
