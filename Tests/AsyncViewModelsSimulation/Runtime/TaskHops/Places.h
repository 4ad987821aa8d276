#ifndef PLACES_H
#define PLACES_H

/// A place at which other code can run.
void interruptions_at(const char *place);

#endif
