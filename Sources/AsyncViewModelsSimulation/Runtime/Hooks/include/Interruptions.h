#ifndef INTERRUPTIONS_H
#define INTERRUPTIONS_H

#include <stdbool.h>
#include <stdint.h>

// The places in synchronous code at which another thread can come first, on platforms with ELF:
// locks, atomic operations, and the resumption of a continuation.
//
// This module defines functions with the names of those of the C library and of the Swift runtime,
// and passes each call on to them. An uncontended `Mutex` and an atomic operation call no function.
// They are seen only in code that is compiled with `-Xfrontend -sanitize=thread`, which calls a
// function for each of them, and is linked without the sanitizer.

/// Returns whether a lock is free.
typedef bool (*InterruptionIsFree)(void *lock);

/// Called where other code can run. `place` says where.
typedef void (*InterruptionAtPlace)(const char *place);

/// The owner of a lock whose owner is unknown, and may be a job of the world.
#define INTERRUPTIONS_ANY_OWNER -1

/// Called where code has to wait until a lock is free that the thread `owner` holds, or until a
/// number of nanoseconds have passed if it is not negative. Returns false if the calling thread has
/// to wait itself.
typedef bool (*InterruptionWait)(int owner, void *lock, InterruptionIsFree is_free, const char *call, int64_t timeout);

/// Calls these functions from now on, in the whole process. Call it once.
void interruptions_call(InterruptionAtPlace at_place, InterruptionWait wait);

/// The number of the calling thread, by which locks know their owner.
int interruptions_thread(void);

/// Whether the program is compiled with `-Xfrontend -sanitize=thread`, and linked without the
/// sanitizer.
bool interruptions_see_atomics(void);

/// Whether this thread runs code of a world, and not of the simulator.
bool interruptions_is_in_world(void);

/// Whether the running code has places: it is code of a world, and computes no initial value of a
/// global variable.
bool interruptions_are_possible(void);

/// Whether code of a world computes the initial value of a global variable of the program.
bool interruptions_are_initializing(void);

/// A place of the running code.
void interruptions_at(const char *place);

/// Begins or ends code of the simulator on this thread, in which no place counts, and in which
/// locks are real. Can be nested.
void interruptions_pause(void);
void interruptions_continue(void);

/// What a thread did before it ran code of a world.
typedef struct {
  bool runs_world;
  int pauses;
} InterruptionState;

/// Begins code of a world on this thread. In other code, no place counts.
InterruptionState interruptions_enter_world(void);

/// Ends code of a world.
void interruptions_leave_world(InterruptionState before);

#endif
