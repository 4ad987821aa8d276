#ifndef SIMULATED_WAITS_H
#define SIMULATED_WAITS_H

// On Linux, replaces functions of the C library that block a thread: the functions for condition
// variables, which `NSCondition` and `OperationQueue` use, and those that sleep. The module
// SimulatedQueues defines the functions that these replacements call.

#endif
