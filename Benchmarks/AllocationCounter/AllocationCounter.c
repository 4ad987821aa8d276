// Counts allocations by interposing glibc's allocator: the dynamic linker prefers the malloc of the program to that of any
// library, for all code in the process. This file is C, because Swift reserves these symbols for its runtime. While no count
// runs, each allocation costs one more load and one more branch.
#include "AllocationCounter.h"

#include <errno.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(leak_sanitizer) || __has_feature(thread_sanitizer)
#define SANITIZED 1
#endif
#endif

#if defined(__linux__) && defined(__GLIBC__) && !defined(SANITIZED)

static atomic_bool is_counting;
static _Atomic uint64_t allocations;
static _Atomic uint64_t bytes;

static inline void count(size_t size) {
  if (__builtin_expect(atomic_load_explicit(&is_counting, memory_order_relaxed), false)) {
    atomic_fetch_add_explicit(&allocations, 1, memory_order_relaxed);
    atomic_fetch_add_explicit(&bytes, size, memory_order_relaxed);
  }
}

bool allocation_counter_is_available(void) { return true; }

void allocation_counter_start(void) {
  atomic_store(&allocations, 0);
  atomic_store(&bytes, 0);
  atomic_store(&is_counting, true);
}

struct allocation_count allocation_counter_stop(void) {
  atomic_store(&is_counting, false);
  return (struct allocation_count){atomic_load(&allocations), atomic_load(&bytes)};
}

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t number, size_t size);
extern void *__libc_realloc(void *block, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);

void *malloc(size_t size) {
  count(size);
  return __libc_malloc(size);
}

void *calloc(size_t number, size_t size) {
  size_t total;
  // If the product is too large, the allocation fails.
  count(__builtin_mul_overflow(number, size, &total) ? 0 : total);
  return __libc_calloc(number, size);
}

void *realloc(void *block, size_t size) {
  count(size);
  return __libc_realloc(block, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
  count(size);
  return __libc_memalign(alignment, size);
}

void *memalign(size_t alignment, size_t size) {
  count(size);
  return __libc_memalign(alignment, size);
}

int posix_memalign(void **result, size_t alignment, size_t size) {
  if (alignment % sizeof(void *) != 0 || alignment == 0 || (alignment & (alignment - 1)) != 0) return EINVAL;
  count(size);
  void *block = __libc_memalign(alignment, size);
  if (block == NULL) return ENOMEM;
  *result = block;
  return 0;
}

#else

bool allocation_counter_is_available(void) { return false; }
void allocation_counter_start(void) {}
struct allocation_count allocation_counter_stop(void) { return (struct allocation_count){0, 0}; }

#endif
