#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "Callers.h"

#ifdef __ELF__
#include <link.h>
#include <pthread.h>
#include <stdint.h>
#include <string.h>

typedef struct {
  uintptr_t start, end;
} Range;

static Range program, foundation, dispatch;

static bool contains(Range range, const void *address) { return range.start <= (uintptr_t)address && (uintptr_t)address < range.end; }

static int find_range(struct dl_phdr_info *object, size_t size, void *context) {
  (void)size, (void)context;
  Range range = {UINTPTR_MAX, 0};
  for (size_t index = 0; index < object->dlpi_phnum; index++) {
    const ElfW(Phdr) *segment = &object->dlpi_phdr[index];
    if (segment->p_type != PT_LOAD) continue;
    uintptr_t start = object->dlpi_addr + segment->p_vaddr, end = start + segment->p_memsz;
    if (start < range.start) range.start = start;
    if (end > range.end) range.end = end;
  }
  if (contains(range, (const void *)&find_range)) program = range;
  if (object->dlpi_name && strstr(object->dlpi_name, "libFoundation.so")) foundation = range;
  if (object->dlpi_name && strstr(object->dlpi_name, "libdispatch.so")) dispatch = range;
  return 0;
}

static void find_ranges(void) { dl_iterate_phdr(find_range, NULL); }

static bool is_in(const Range *range, const void *address) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, find_ranges);
  return contains(*range, address);
}

bool callers_is_program(const void *address) { return is_in(&program, address); }
bool callers_is_app(const void *address) { return is_in(&program, address) || contains(foundation, address); }
bool callers_is_dispatch(const void *address) { return is_in(&dispatch, address); }

#else
bool callers_is_program(const void *address) { return (void)address, false; }
bool callers_is_app(const void *address) { return (void)address, false; }
bool callers_is_dispatch(const void *address) { return (void)address, false; }
#endif
