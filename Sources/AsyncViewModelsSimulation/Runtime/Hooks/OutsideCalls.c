#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "OutsideCalls.h"

#include <stddef.h>

#ifdef __ELF__
#include "Callers.h"
#include "Interruptions.h"
#include "Originals.h"

#include <pthread.h>
#include <stdint.h>

static _Atomic(OutsideCall) seen;

void outside_calls_see(OutsideCall call) { atomic_store_explicit(&seen, call, memory_order_release); }

void outside_calls_note(const char *name) {
  OutsideCall call = atomic_load_explicit(&seen, memory_order_acquire);
  if (!call || !interruptions_is_in_world()) return;
  interruptions_pause();
  call(name);
  interruptions_continue();
}

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*body)(void *), void *argument) {
  // The runtimes start threads for their pools.
  if (callers_is_app(__builtin_return_address(0))) outside_calls_note("Thread.start");
  return ORIGINAL(__typeof__(&pthread_create), "pthread_create")(thread, attributes, body, argument);
}

// The module SimulatedQueues has strong definitions of these functions. Calls that libdispatch
// makes itself meanwhile do not count.
#define SEEN(name, call, parameters, arguments)                                                                                    \
  __attribute__((weak, visibility("default"))) void name parameters;                                                               \
  void name parameters {                                                                                                           \
    outside_calls_note(call);                                                                                                      \
    interruptions_pause();                                                                                                         \
    ORIGINAL(void (*) parameters, #name) arguments;                                                                                \
    interruptions_continue();                                                                                                      \
  }

SEEN(dispatch_async, "DispatchQueue.async", (void *queue, void *block), (queue, block))
SEEN(dispatch_async_f, "DispatchQueue.async", (void *queue, void *context, void *work), (queue, context, work))
SEEN(dispatch_after_f, "DispatchQueue.asyncAfter", (uint64_t time, void *queue, void *context, void *work), (time, queue, context, work))
SEEN(dispatch_barrier_async, "DispatchQueue.async", (void *queue, void *block), (queue, block))
SEEN(dispatch_after, "DispatchQueue.asyncAfter", (uint64_t time, void *queue, void *block), (time, queue, block))
SEEN(dispatch_group_async, "DispatchQueue.async", (void *group, void *queue, void *block), (group, queue, block))
SEEN(dispatch_group_notify, "DispatchGroup.notify", (void *group, void *queue, void *block), (group, queue, block))
SEEN(dispatch_resume, "DispatchSource.resume", (void *object), (object))
SEEN(dispatch_activate, "DispatchSource.activate", (void *object), (object))

#else

void outside_calls_see(OutsideCall call) { (void)call; }
void outside_calls_note(const char *call) { (void)call; }

#endif
