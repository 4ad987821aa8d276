#ifndef FUNCTIONS_H
#define FUNCTIONS_H

#include <stdbool.h>
#include <stddef.h>

/// Copies the name of the function that contains an address, as the linker knows it: the mangled
/// name of a Swift function. Returns NULL if the file of the program or library has no name for it,
/// for example because it is stripped. The caller frees the name.
///
/// Also finds functions that are not exported, which `dladdr` does not find on Linux. Reads the
/// symbol table of the file on each call: O(symbols).
char *functions_copy_name(const void *address);

/// The file of the program or library that contains an address, or NULL.
const char *functions_file(const void *address);

/// Whether this many bytes, at most a page, are mapped at the address of an object, which can be
/// shorter. Only known on Linux, and false elsewhere.
bool functions_can_read(const void *object, size_t size);

#endif
