#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#ifdef __ELF__
#include "Interruptions.h"
#include "Callers.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

// The functions that code calls which is compiled with `-Xfrontend -sanitize=thread`. They make
// each atomic operation a place at which other code can run. The definitions are weak: in a program
// that is linked with the thread sanitizer, those of the sanitizer count.
//
// Only one thread runs code of a world at a time, but code outside of worlds is compiled in the
// same way. So the operations are atomic, with the strongest order.

#define WEAK __attribute__((weak, visibility("default")))
#define IGNORED(name, ...) \
  WEAK void name(__VA_ARGS__) {}

static bool are_called;

bool interruptions_see_atomics(void) { return are_called; }

// Called when the program starts.
WEAK void __tsan_init(void) { are_called = true; }

IGNORED(__tsan_func_entry, void *caller)
IGNORED(__tsan_func_exit, void)
IGNORED(__tsan_ignore_thread_begin, void)
IGNORED(__tsan_ignore_thread_end, void)
IGNORED(__tsan_external_read, void *address, void *caller, void *tag)
IGNORED(__tsan_external_write, void *address, void *caller, void *tag)
IGNORED(__tsan_vptr_read, void **pointer)
IGNORED(__tsan_vptr_update, void **pointer, void *value)
IGNORED(__tsan_read_range, void *address, size_t size)
IGNORED(__tsan_write_range, void *address, size_t size)

#define ACCESSES(size) \
  IGNORED(__tsan_read##size, void *address) \
  IGNORED(__tsan_write##size, void *address) \
  IGNORED(__tsan_read_write##size, void *address) \
  IGNORED(__tsan_unaligned_read##size, void *address) \
  IGNORED(__tsan_unaligned_write##size, void *address) \
  IGNORED(__tsan_unaligned_read_write##size, void *address)

ACCESSES(1)
ACCESSES(2)
ACCESSES(4)
ACCESSES(8)
ACCESSES(16)

WEAK void *__tsan_memcpy(void *target, const void *source, size_t size) { return memcpy(target, source, size); }
WEAK void *__tsan_memmove(void *target, const void *source, size_t size) { return memmove(target, source, size); }
WEAK void *__tsan_memset(void *target, int byte, size_t size) { return memset(target, byte, size); }

#define BEFORE interruptions_at("before an atomic operation")
// The compiler loads and stores metadata, which it keeps in variables of the program, in the same
// way. When it stores them depends on earlier runs. So a load or a store of a global variable is no
// place. Other operations of global variables, such as those of locks, are.
#define BEFORE_ACCESS \
  if (!callers_is_program((const void *)value)) BEFORE

// Whether an exchange unlocks a `Mutex`, which contains the id of the thread that holds it. Nothing
// is done between the last operation under the lock and this exchange, so it is no place. So code
// is never interrupted with a lock if the locked code has no place.
static bool is_unlock(uint64_t expected, uint64_t desired) { return desired == 0 && expected == (uint64_t)interruptions_thread(); }

#define CHANGE(bits, name) \
  WEAK uint##bits##_t __tsan_atomic##bits##_##name(volatile uint##bits##_t *value, uint##bits##_t operand, int order) { \
    BEFORE; \
    return CHANGE_##name; \
  }

#define CHANGE_exchange __atomic_exchange_n(value, operand, __ATOMIC_SEQ_CST)
#define CHANGE_fetch_add __atomic_fetch_add(value, operand, __ATOMIC_SEQ_CST)
#define CHANGE_fetch_sub __atomic_fetch_sub(value, operand, __ATOMIC_SEQ_CST)
#define CHANGE_fetch_and __atomic_fetch_and(value, operand, __ATOMIC_SEQ_CST)
#define CHANGE_fetch_or __atomic_fetch_or(value, operand, __ATOMIC_SEQ_CST)
#define CHANGE_fetch_xor __atomic_fetch_xor(value, operand, __ATOMIC_SEQ_CST)
#define CHANGE_fetch_nand __atomic_fetch_nand(value, operand, __ATOMIC_SEQ_CST)

#define OPERATIONS(bits) \
  WEAK uint##bits##_t __tsan_atomic##bits##_load(const volatile uint##bits##_t *value, int order) { \
    BEFORE_ACCESS; \
    return __atomic_load_n(value, __ATOMIC_SEQ_CST); \
  } \
  WEAK void __tsan_atomic##bits##_store(volatile uint##bits##_t *value, uint##bits##_t operand, int order) { \
    BEFORE_ACCESS; \
    __atomic_store_n(value, operand, __ATOMIC_SEQ_CST); \
  } \
  CHANGE(bits, exchange) \
  CHANGE(bits, fetch_add) \
  CHANGE(bits, fetch_sub) \
  CHANGE(bits, fetch_and) \
  CHANGE(bits, fetch_or) \
  CHANGE(bits, fetch_xor) \
  CHANGE(bits, fetch_nand) \
  WEAK uint##bits##_t __tsan_atomic##bits##_compare_exchange_val( \
    volatile uint##bits##_t *value, uint##bits##_t expected, uint##bits##_t desired, int order, int failure) { \
    if (!(bits == 32 && is_unlock(expected, desired))) BEFORE; \
    __atomic_compare_exchange_n(value, &expected, desired, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST); \
    return expected; \
  }

OPERATIONS(8)
OPERATIONS(16)
OPERATIONS(32)
OPERATIONS(64)

WEAK void __tsan_atomic_thread_fence(int order) { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
WEAK void __tsan_atomic_signal_fence(int order) { __atomic_signal_fence(__ATOMIC_SEQ_CST); }

// Atomics of two words.

#ifdef __SIZEOF_INT128__
typedef unsigned __int128 uint128_t;

#ifdef __x86_64__
#define WEAK_WIDE WEAK __attribute__((target("cx16")))
#else
#define WEAK_WIDE WEAK
#endif

WEAK_WIDE uint128_t __tsan_atomic128_load(const volatile uint128_t *value, int order) {
  BEFORE;
  return __sync_val_compare_and_swap((volatile uint128_t *)value, 0, 0);
}

WEAK_WIDE uint128_t __tsan_atomic128_compare_exchange_val(
  volatile uint128_t *value, uint128_t expected, uint128_t desired, int order, int failure) {
  BEFORE;
  return __sync_val_compare_and_swap(value, expected, desired);
}

WEAK_WIDE uint128_t __tsan_atomic128_exchange(volatile uint128_t *value, uint128_t operand, int order) {
  BEFORE;
  uint128_t seen = *value, result;
  while ((result = __sync_val_compare_and_swap(value, seen, operand)) != seen) seen = result;
  return result;
}

WEAK_WIDE void __tsan_atomic128_store(volatile uint128_t *value, uint128_t operand, int order) {
  (void)__tsan_atomic128_exchange(value, operand, order);
}
#endif

#else
#include "Interruptions.h"

bool interruptions_see_atomics(void) { return false; }
#endif
