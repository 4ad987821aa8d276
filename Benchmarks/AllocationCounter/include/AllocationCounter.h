#ifndef ALLOCATION_COUNTER_H
#define ALLOCATION_COUNTER_H

#include <stdbool.h>
#include <stdint.h>

/// Whether allocations can be counted in this process: on Linux with glibc, where no sanitizer stands before malloc.
bool allocation_counter_is_available(void);

/// From here on, each allocation of any thread counts. The count begins at zero.
void allocation_counter_start(void);

/// Ends the counting.
/// - Returns: how often memory was asked for since the start.
uint64_t allocation_counter_stop(void);

#endif
