#include "Traps.h"

#ifdef __ELF__
#include "Interruptions.h"
#include "Originals.h"

static _Atomic(TrapHandler) call_at_trap;

void traps_call(TrapHandler handler) { atomic_store_explicit(&call_at_trap, handler, memory_order_release); }

void abort(void) {
  TrapHandler handler = atomic_load_explicit(&call_at_trap, memory_order_acquire);
  if (handler && interruptions_is_in_world()) handler();
  ORIGINAL(void (*)(void), "abort")();
  __builtin_unreachable();
}

#else
void traps_call(TrapHandler handler) { (void)handler; }
#endif
