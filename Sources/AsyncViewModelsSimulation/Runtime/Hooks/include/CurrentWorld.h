#ifndef CURRENT_WORLD_H
#define CURRENT_WORLD_H

// The world that a thread runs.
//
// These are functions and not inline, because code that is inlined into an async function can keep
// the address of a thread-local variable across an `await`, on another thread.

/// The world that the calling thread runs, or null.
void *current_world(void);

/// Makes the calling thread run a world, or none.
void current_world_set(void *world);

#endif
