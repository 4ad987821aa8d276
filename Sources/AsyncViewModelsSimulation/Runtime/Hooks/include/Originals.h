#ifndef ORIGINALS_H
#define ORIGINALS_H

// The functions that this process would call without a replacement.

#ifdef __ELF__
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <dlfcn.h>
#include <stdatomic.h>

// The original function of a replacement, or that of a sanitizer, which also has to see the calls.
static inline void *original(const char *name, const char *interceptor) {
  void *function = dlsym(RTLD_DEFAULT, interceptor);
  return function ? function : dlsym(RTLD_NEXT, name);
}

// The original function with a name. Each place looks it up once.
#define ORIGINAL(type, name)                                                                                                       \
  ({                                                                                                                               \
    static _Atomic(void *) known;                                                                                                  \
    void *function = atomic_load_explicit(&known, memory_order_relaxed);                                                           \
    if (!function) {                                                                                                               \
      function = original(name, "__interceptor_" name);                                                                            \
      atomic_store_explicit(&known, function, memory_order_relaxed);                                                               \
    }                                                                                                                              \
    (type) function;                                                                                                               \
  })
#endif

#endif
