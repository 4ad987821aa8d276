#if defined(__linux__)

#define _GNU_SOURCE
#include "SimulatedWaits.h"

#include <dlfcn.h>
#include <link.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

// Defined in Swift.
bool simulatedWaitIsInWorld(void);
int simulatedConditionWait(pthread_cond_t *condition, pthread_mutex_t *mutex, const struct timespec *deadline);
void simulatedConditionSignal(pthread_cond_t *condition, bool wakesAll);
void simulatedSleep(long seconds, long nanoseconds);
void simulatedThread(void);

typedef struct {
  uintptr_t start, end;
} Range;

// The code of the program and of Foundation. `dladdr` would search all symbols of the program on each call.
static Range program, foundation;

static int findRanges(struct dl_phdr_info *object, size_t size, void *context) {
  Range range = {UINTPTR_MAX, 0};
  for (size_t index = 0; index < object->dlpi_phnum; index++) {
    const ElfW(Phdr) *segment = &object->dlpi_phdr[index];
    if (segment->p_type != PT_LOAD) continue;
    uintptr_t start = object->dlpi_addr + segment->p_vaddr, end = start + segment->p_memsz;
    if (start < range.start) range.start = start;
    if (end > range.end) range.end = end;
  }
  uintptr_t here = (uintptr_t)&findRanges;
  if (range.start <= here && here < range.end) program = range;
  if (object->dlpi_name && strstr(object->dlpi_name, "libFoundation.so")) foundation = range;
  return 0;
}

static void findAllRanges(void) { dl_iterate_phdr(findRanges, NULL); }

// Whether the caller is Foundation or the program. The other callers are runtimes, whose short waits end on threads outside the
// world, for example when two threads initialize the same metadata.
static bool isSimulatedCaller(void *address) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, findAllRanges);
  uintptr_t caller = (uintptr_t)address;
  return (program.start <= caller && caller < program.end) || (foundation.start <= caller && caller < foundation.end);
}

// Returns the original function, or that of a sanitizer.
static void *original(const char *name, const char *interceptor) {
  void *function = dlsym(RTLD_DEFAULT, interceptor);
  return function ? function : dlsym(RTLD_NEXT, name);
}

#define IS_SIMULATED (simulatedWaitIsInWorld() && isSimulatedCaller(__builtin_return_address(0)))
// The original function, which each caller looks up once.
#define ORIGINAL(name)                                                                                                             \
  ({                                                                                                                               \
    static _Atomic(void *) known;                                                                                                  \
    void *function = atomic_load_explicit(&known, memory_order_relaxed);                                                           \
    if (!function) {                                                                                                               \
      function = original(#name, "__interceptor_" #name);                                                                          \
      atomic_store_explicit(&known, function, memory_order_relaxed);                                                               \
    }                                                                                                                              \
    (__typeof__(&name))function;                                                                                                   \
  })

int pthread_cond_wait(pthread_cond_t *condition, pthread_mutex_t *mutex) {
  if (IS_SIMULATED)
    return simulatedConditionWait(condition, mutex, NULL);
  return ORIGINAL(pthread_cond_wait)(condition, mutex);
}

int pthread_cond_timedwait(pthread_cond_t *condition, pthread_mutex_t *mutex, const struct timespec *deadline) {
  if (IS_SIMULATED)
    return simulatedConditionWait(condition, mutex, deadline);
  return ORIGINAL(pthread_cond_timedwait)(condition, mutex, deadline);
}

int pthread_cond_signal(pthread_cond_t *condition) {
  simulatedConditionSignal(condition, false);
  return ORIGINAL(pthread_cond_signal)(condition);
}

int pthread_cond_broadcast(pthread_cond_t *condition) {
  simulatedConditionSignal(condition, true);
  return ORIGINAL(pthread_cond_broadcast)(condition);
}

int usleep(useconds_t microseconds) {
  if (!IS_SIMULATED) return ORIGINAL(usleep)(microseconds);
  simulatedSleep(microseconds / 1000000, microseconds % 1000000 * 1000);
  return 0;
}

unsigned int sleep(unsigned int seconds) {
  if (!IS_SIMULATED) return ORIGINAL(sleep)(seconds);
  simulatedSleep(seconds, 0);
  return 0;
}

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*body)(void *), void *argument) {
  if (IS_SIMULATED) simulatedThread();
  return ORIGINAL(pthread_create)(thread, attributes, body, argument);
}

#endif
