#ifndef ALLOCATION_COUNTER_H
#define ALLOCATION_COUNTER_H

#include <stdbool.h>
#include <stdint.h>

/// Whether this process can count allocations: on Linux with glibc, without a sanitizer.
bool allocation_counter_is_available(void);

/// Starts a count of the allocations of all threads, from zero.
void allocation_counter_start(void);

/// What all threads have allocated.
struct allocation_count {
  uint64_t allocations;
  /// The bytes of these allocations, whether they were freed or not. A reallocation counts with its new size.
  uint64_t bytes;
};

/// Ends the count.
///
/// - Returns: What was allocated since the start.
struct allocation_count allocation_counter_stop(void);

#endif
