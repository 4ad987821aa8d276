#if defined(__linux__)

#define _GNU_SOURCE
#include "Callers.h"
#include "Originals.h"
#include "SimulatedWaits.h"

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>
#include <unistd.h>

// Defined in Swift.
bool simulatedWaitIsInWorld(void);
int simulatedConditionWait(pthread_cond_t *condition, pthread_mutex_t *mutex, const struct timespec *deadline);
void simulatedConditionSignal(pthread_cond_t *condition, bool wakesAll);
void simulatedSleep(long seconds, long nanoseconds);

#define IS_SIMULATED (simulatedWaitIsInWorld() && callers_is_app(__builtin_return_address(0)))
#define ORIGINAL_OF(name) ORIGINAL(__typeof__(&name), #name)

int pthread_cond_wait(pthread_cond_t *condition, pthread_mutex_t *mutex) {
  if (IS_SIMULATED)
    return simulatedConditionWait(condition, mutex, NULL);
  return ORIGINAL_OF(pthread_cond_wait)(condition, mutex);
}

int pthread_cond_timedwait(pthread_cond_t *condition, pthread_mutex_t *mutex, const struct timespec *deadline) {
  if (IS_SIMULATED)
    return simulatedConditionWait(condition, mutex, deadline);
  return ORIGINAL_OF(pthread_cond_timedwait)(condition, mutex, deadline);
}

int pthread_cond_signal(pthread_cond_t *condition) {
  simulatedConditionSignal(condition, false);
  return ORIGINAL_OF(pthread_cond_signal)(condition);
}

int pthread_cond_broadcast(pthread_cond_t *condition) {
  simulatedConditionSignal(condition, true);
  return ORIGINAL_OF(pthread_cond_broadcast)(condition);
}

int usleep(useconds_t microseconds) {
  if (!IS_SIMULATED) return ORIGINAL_OF(usleep)(microseconds);
  simulatedSleep(microseconds / 1000000, microseconds % 1000000 * 1000);
  return 0;
}

unsigned int sleep(unsigned int seconds) {
  if (!IS_SIMULATED) return ORIGINAL_OF(sleep)(seconds);
  simulatedSleep(seconds, 0);
  return 0;
}

#endif
