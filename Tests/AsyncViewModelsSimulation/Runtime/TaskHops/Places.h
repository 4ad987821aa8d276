#ifndef PLACES_H
#define PLACES_H

#include <stdbool.h>

/// Whether an address belongs to a global variable of the program, or to its code.
bool interruptions_is_global(const void *address);

#endif
