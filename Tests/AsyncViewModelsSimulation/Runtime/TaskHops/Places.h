#ifndef PLACES_H
#define PLACES_H

#include <stdbool.h>

/// A place at which other code can run.
void interruptions_at(const char *place);

/// Whether an address belongs to a global variable of the program, or to its code.
bool interruptions_is_global(const void *address);

#endif
