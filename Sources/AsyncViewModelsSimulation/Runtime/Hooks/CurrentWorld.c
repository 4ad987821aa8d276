#include "CurrentWorld.h"

static _Thread_local void *current;

void *current_world(void) { return current; }

void current_world_set(void *world) { current = world; }
