#ifndef OUTSIDE_CALLS_H
#define OUTSIDE_CALLS_H

// Calls by which code of a world starts work on threads outside of it, on platforms with ELF: of
// real dispatch queues, and of new threads. A module that simulates queues defines their functions
// again, and its definitions count.

/// Called with the name of such a call, on the thread that makes it.
typedef void (*OutsideCall)(const char *call);

/// Calls `call` from now on, in the whole process. Call this function once.
void outside_calls_see(OutsideCall call);

/// Reports such a call, if this thread runs code of a world.
void outside_calls_note(const char *call);

#endif
