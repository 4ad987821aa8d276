#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "Interruptions.h"
#include "TaskHops.h"

#ifdef __ELF__
#include <dlfcn.h>
#include <stdatomic.h>
#include <stddef.h>

#define SWIFT __attribute__((swiftcall))
#define SWIFT_ASYNC __attribute__((swiftasynccall))
#define CONTEXT __attribute__((swift_async_context))

/// An option of a new task. The kind is the lowest byte of the flags. Kind 0 is the executor on
/// which the task starts.
typedef struct Option {
  size_t flags;
  struct Option *parent;
  TaskHopExecutor executor;
} Option;

typedef struct {
  void *task;
  void *context;
} Task;

typedef SWIFT_ASYNC void (*Continuation)(CONTEXT void *);
typedef SWIFT_ASYNC void (*Switch)(CONTEXT void *, Continuation, uintptr_t, uintptr_t);
typedef SWIFT Task (*Create)(size_t, Option *, const void *, void *, void *);
typedef SWIFT TaskHopExecutor (*Current)(void);
typedef SWIFT void *(*CurrentTask)(void);
typedef SWIFT void (*Enqueue)(void *, uintptr_t, uintptr_t);

static Switch runtime_switch;
static Create runtime_create;
static Current runtime_current;
static CurrentTask runtime_current_task;
static Enqueue runtime_enqueue;
static _Atomic(TaskHopReplacement) replacement;

__attribute__((constructor)) static void find_runtime(void) {
  runtime_switch = (Switch)dlsym(RTLD_NEXT, "swift_task_switch");
  runtime_create = (Create)dlsym(RTLD_NEXT, "swift_task_create");
  runtime_current = (Current)dlsym(RTLD_NEXT, "swift_task_getCurrentExecutor");
  runtime_current_task = (CurrentTask)dlsym(RTLD_NEXT, "swift_task_getCurrent");
  runtime_enqueue = (Enqueue)dlsym(RTLD_NEXT, "swift_task_enqueue");
}

static bool is_default_actor(TaskHopExecutor executor) { return executor.identity != 0 && executor.implementation == 0; }

/// Continues a task on an executor.
SWIFT_ASYNC void swift_task_switch(CONTEXT void *context, Continuation resume, uintptr_t identity, uintptr_t implementation) {
  TaskHopExecutor target = {identity, implementation};
  TaskHopReplacement replace = atomic_load_explicit(&replacement, memory_order_acquire);
  if (replace) {
    TaskHopExecutor current = runtime_current();
    bool leaves_actor = identity == 0 && (current.identity == 0 || is_default_actor(current));
    bool enters_actor = is_default_actor(target) && current.identity != identity;
    if (leaves_actor || enters_actor) target = replace(target, identity != 0 && current.identity != 0);
  }
  __attribute__((musttail)) return runtime_switch(context, resume, target.identity, target.implementation);
}

/// Creates a task.
SWIFT Task swift_task_create(size_t flags, Option *options, const void *result, void *entry, void *closure) {
  Option *start = options;
  while (start && (start->flags & 0xFF) != 0) start = start->parent;
  TaskHopReplacement replace = atomic_load_explicit(&replacement, memory_order_acquire);
  bool hops = replace && start && is_default_actor(start->executor);
  TaskHopExecutor given = {0, 0};
  if (hops) {
    given = start->executor;
    start->executor = replace(given, true);
  }
  Task task = runtime_create(flags, options, result, entry, closure);
  if (hops) start->executor = given;
  interruptions_at("after a task is created");
  return task;
}

void task_hops_replace(TaskHopReplacement replace) {
  atomic_store_explicit(&replacement, replace, memory_order_release);
}

void *task_hops_current_task(void) { return runtime_current_task(); }

uintptr_t task_hops_current_actor(void) {
  TaskHopExecutor current = runtime_current();
  return is_default_actor(current) ? current.identity : 0;
}

void task_hops_enqueue(void *job, TaskHopExecutor executor) { runtime_enqueue(job, executor.identity, executor.implementation); }

#else

void task_hops_replace(TaskHopReplacement replace) { (void)replace; }
void *task_hops_current_task(void) { return 0; }
uintptr_t task_hops_current_actor(void) { return 0; }
void task_hops_enqueue(void *job, TaskHopExecutor executor) { (void)job, (void)executor; }

#endif
