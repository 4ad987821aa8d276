// Tells ThreadSanitizer about the slow path of Swift's Mutex on Linux.
//
// Mutex is a futex. Its fast path is inlined into the checked code, so the sanitizer sees its atomics. Its slow path
// is in libswiftSynchronization and in the kernel, which the sanitizer does not see, so it reports a race between two
// critical sections of one lock. When preloaded, these functions replace the library's functions, call them and
// report the acquire and release to the sanitizer. Without the sanitizer in the process they only call the library.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdbool.h>
#include <stdint.h>

#define SWIFT __attribute__((swiftcall))
#define SELF __attribute__((swift_context))
#define LOCK_SLOW "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define TRY_LOCK_SLOW "$s15Synchronization12_MutexHandleV12_tryLockSlowSbyF"
#define UNLOCK_SLOW "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"

__attribute__((weak)) void __tsan_acquire(void *address);
__attribute__((weak)) void __tsan_release(void *address);

SWIFT void lock_slow(uint32_t state, SELF void *self) __asm__(LOCK_SLOW);
SWIFT void lock_slow(uint32_t state, SELF void *self) {
  static SWIFT void (*next)(uint32_t, SELF void *);
  if (!next) next = dlsym(RTLD_NEXT, LOCK_SLOW);
  next(state, self);
  if (__tsan_acquire) __tsan_acquire(self);
}

SWIFT bool try_lock_slow(SELF void *self) __asm__(TRY_LOCK_SLOW);
SWIFT bool try_lock_slow(SELF void *self) {
  static SWIFT bool (*next)(SELF void *);
  if (!next) next = dlsym(RTLD_NEXT, TRY_LOCK_SLOW);
  bool locked = next(self);
  if (locked && __tsan_acquire) __tsan_acquire(self);
  return locked;
}

SWIFT void unlock_slow(SELF void *self) __asm__(UNLOCK_SLOW);
SWIFT void unlock_slow(SELF void *self) {
  static SWIFT void (*next)(SELF void *);
  if (!next) next = dlsym(RTLD_NEXT, UNLOCK_SLOW);
  if (__tsan_release) __tsan_release(self);
  next(self);
}
