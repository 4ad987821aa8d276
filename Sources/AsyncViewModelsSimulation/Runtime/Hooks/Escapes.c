#include "Escapes.h"

#ifdef __ELF__
#include "Originals.h"

#include <stdint.h>

static _Thread_local bool is_next_allowed;

bool escapes_allow_next(void) { return is_next_allowed = true; }
bool escapes_allows_next(void) { return is_next_allowed; }

typedef bool (*Check)(const void *, const unsigned char *, int32_t, int32_t, int32_t, unsigned);

bool swift_isEscapingClosureAtFileLocation(
    const void *closure, const unsigned char *file, int32_t length, int32_t line, int32_t column, unsigned kind) {
  if (is_next_allowed) return is_next_allowed = false;
  return ORIGINAL(Check, "swift_isEscapingClosureAtFileLocation")(closure, file, length, line, column, kind);
}

#else

bool escapes_allow_next(void) { return false; }
bool escapes_allows_next(void) { return false; }

#endif
