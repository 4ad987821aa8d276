#ifndef CLOCKS_H
#define CLOCKS_H

#include <stdbool.h>
#include <stdint.h>

// The clocks of the system, on Linux.
//
// This module defines functions with the names of those that read a clock: `clock_gettime`,
// `gettimeofday`, `time` and `timespec_get`. It also defines `nanosleep`, because `Thread.sleep`
// repeats it until a clock shows the end of the sleep, and `epoll_wait` and `ppoll`, because a run
// loop repeats them in the same way. The dynamic linker prefers the functions of the program to
// those of a library.

/// Returns the nanoseconds that a clock shows, or a negative number to read the real clock.
/// `is_wall` tells whether the clock counts from 1970, and `is_dispatch` whether libdispatch reads
/// it. The function is called under any lock of the reader.
typedef int64_t (*ClockReader)(bool is_wall, bool is_dispatch);

/// Sleeps in virtual time, or returns false to sleep in real time.
typedef bool (*ClockSleeper)(int64_t seconds, int64_t nanoseconds);

/// Returns true to end the wait of a run loop at once, as if nothing had happened.
typedef bool (*ClockWaiter)(void);

/// Calls `reader` for each read of a clock except those of CPU time, `sleeper` if Foundation or the
/// program sleeps, and `waiter` if one of them waits for events.
///
/// - Isolation: None. The function applies to the whole process, from the next read on.
void clocks_replace(ClockReader reader, ClockSleeper sleeper, ClockWaiter waiter);

#endif
