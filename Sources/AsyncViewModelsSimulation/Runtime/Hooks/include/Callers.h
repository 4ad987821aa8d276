#ifndef CALLERS_H
#define CALLERS_H

#include <stdbool.h>

// Who calls a replaced function, by the return address. `dladdr` would search all symbols of the
// program on each call.

/// Whether an address belongs to the code of the program, or to its global variables.
bool callers_is_program(const void *address);

/// Whether an address belongs to the program or to Foundation. The other callers are runtimes,
/// whose short waits end on threads outside the world, and whose locks no simulated code can see.
bool callers_is_app(const void *address);

/// Whether an address belongs to libdispatch.
bool callers_is_dispatch(const void *address);

#endif
