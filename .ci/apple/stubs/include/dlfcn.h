// For C targets.
#include "Darwin.h"
