#ifndef TASK_HOPS_H
#define TASK_HOPS_H

#include <stdbool.h>
#include <stdint.h>

// The places at which the concurrency runtime chooses the executor of a task, on platforms with
// ELF.
//
// The runtime takes a thread to an idle default actor without enqueuing a job. So no hook of the
// runtime sees such a hop. This module defines functions with the names of the runtime's entry
// points, and passes each call on to the runtime. The dynamic linker prefers the functions of the
// program to those of a library.

/// The two words of a serial executor. The second one is 0 for a default actor.
typedef struct {
  uintptr_t identity;
  uintptr_t implementation;
} TaskHopExecutor;

/// Returns the executor to use in place of another one: a default actor, or no actor, which is two
/// zero words. `is_ordered` tells whether the hop begins on an actor, whose hops to the same target
/// arrive in their order.
typedef TaskHopExecutor (*TaskHopReplacement)(TaskHopExecutor target, bool is_ordered);

/// Calls `replacement` for each hop of a task to another default actor, for each task that starts
/// on a default actor, and for each return from an async function, or from a default actor, to code
/// without an actor.
///
/// - Isolation: None. The function applies to the whole process, from the next hop on.
void task_hops_replace(TaskHopReplacement replacement);

/// The task that runs on this thread, or null. Call only on platforms with ELF.
void *task_hops_current_task(void);

/// The address of the default actor on which this thread runs, or 0. Call only on platforms with ELF.
uintptr_t task_hops_current_actor(void);

/// Enqueues a job on an executor, as the runtime does.
void task_hops_enqueue(void *job, TaskHopExecutor executor);

#endif
