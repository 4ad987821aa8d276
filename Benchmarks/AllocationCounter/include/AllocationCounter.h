#ifndef ALLOCATION_COUNTER_H
#define ALLOCATION_COUNTER_H

#include <stdbool.h>
#include <stdint.h>

/// Whether this process can count allocations: on Linux with glibc, without a sanitizer.
bool allocation_counter_is_available(void);

/// Starts a count of the allocations of all threads, from zero.
void allocation_counter_start(void);

/// Ends the count.
///
/// - Returns: The number of allocations since the start.
uint64_t allocation_counter_stop(void);

#endif
