#ifndef ESCAPES_H
#define ESCAPES_H

#include <stdbool.h>

// `withoutActuallyEscaping` ends the process if its closure is still in use at the end. After a
// failed run, a task of the world is suspended forever in such a closure: the closure is in use,
// but is never called again.

/// Makes the next such check on this thread pass. Returns false if it cannot, which it can on
/// platforms with ELF.
bool escapes_allow_next(void);

/// Whether the next check on this thread passes in any case.
bool escapes_allows_next(void);

#endif
