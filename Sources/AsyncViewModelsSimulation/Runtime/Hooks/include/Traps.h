#ifndef TRAPS_H
#define TRAPS_H

// Where the Swift runtime ends the process because a check has failed, on platforms with ELF: it
// calls `abort`. The C library does not call this function if it finds its memory damaged.

/// Called on the thread that is about to end the process, if it runs code of a world. Returns to
/// let the process end.
typedef void (*TrapHandler)(void);

/// Calls `handler` from now on, in the whole process. Call this function once.
void traps_call(TrapHandler handler);

#endif
