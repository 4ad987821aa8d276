#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "Clocks.h"

#ifdef __linux__
#include "Callers.h"
#include "Originals.h"

#include <poll.h>
#include <stdatomic.h>
#include <stddef.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

typedef int (*Read)(clockid_t, struct timespec *);
typedef int (*Sleep)(const struct timespec *, struct timespec *);
typedef int (*EventWait)(int, struct epoll_event *, int, int);
typedef int (*Poll)(struct pollfd *, nfds_t, const struct timespec *, const sigset_t *);

static Read original_read;
static Sleep original_sleep;
static EventWait original_event_wait;
static Poll original_poll;
static _Atomic(ClockReader) read_virtual;
static _Atomic(ClockSleeper) sleep_virtual;
static _Atomic(ClockWaiter) end_wait;

__attribute__((constructor)) static void find_clocks(void) {
  original_read = (Read)original("clock_gettime", "__interceptor_clock_gettime");
  original_sleep = (Sleep)original("nanosleep", "__interceptor_nanosleep");
  original_event_wait = (EventWait)original("epoll_wait", "__interceptor_epoll_wait");
  original_poll = (Poll)original("ppoll", "__interceptor_ppoll");
}

static bool is_wall(clockid_t clock) {
  return clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE || clock == CLOCK_REALTIME_ALARM || clock == CLOCK_TAI;
}

static bool is_uptime(clockid_t clock) {
  return clock == CLOCK_MONOTONIC || clock == CLOCK_MONOTONIC_COARSE || clock == CLOCK_MONOTONIC_RAW || clock == CLOCK_BOOTTIME ||
         clock == CLOCK_BOOTTIME_ALARM;
}

// The sanitizer for threads must not instrument what it may call before it is initialized.
#define UNCHECKED __attribute__((disable_sanitizer_instrumentation))

UNCHECKED static int read_clock(clockid_t clock, struct timespec *time, void *caller) {
  ClockReader reader = atomic_load_explicit(&read_virtual, memory_order_acquire);
  if (reader && (is_wall(clock) || is_uptime(clock))) {
    int64_t nanoseconds = reader(is_wall(clock), callers_is_dispatch(caller));
    if (nanoseconds >= 0) {
      time->tv_sec = nanoseconds / 1000000000;
      time->tv_nsec = nanoseconds % 1000000000;
      return 0;
    }
  }
  // A constructor of a library can read a clock before `find_clocks` runs.
  return original_read ? original_read(clock, time) : (int)syscall(SYS_clock_gettime, clock, time);
}

UNCHECKED int clock_gettime(clockid_t clock, struct timespec *time) { return read_clock(clock, time, __builtin_return_address(0)); }

UNCHECKED int gettimeofday(struct timeval *restrict result, void *restrict zone) {
  struct timespec time;
  if (read_clock(CLOCK_REALTIME, &time, __builtin_return_address(0)) != 0) return -1;
  if (zone) memset(zone, 0, sizeof(struct timezone));
  *result = (struct timeval){time.tv_sec, time.tv_nsec / 1000};
  return 0;
}

UNCHECKED time_t time(time_t *result) {
  struct timespec time;
  if (read_clock(CLOCK_REALTIME_COARSE, &time, __builtin_return_address(0)) != 0) return -1;
  if (result) *result = time.tv_sec;
  return time.tv_sec;
}

UNCHECKED int timespec_get(struct timespec *time, int base) {
  if (base != TIME_UTC) return 0;
  return read_clock(CLOCK_REALTIME, time, __builtin_return_address(0)) == 0 ? base : 0;
}

UNCHECKED int nanosleep(const struct timespec *time, struct timespec *rest) {
  ClockSleeper sleeper = atomic_load_explicit(&sleep_virtual, memory_order_acquire);
  if (sleeper && callers_is_app(__builtin_return_address(0)) && sleeper(time->tv_sec, time->tv_nsec)) return 0;
  return original_sleep ? original_sleep(time, rest) : (int)syscall(SYS_nanosleep, time, rest);
}

static bool ends_wait(void *caller) {
  ClockWaiter waiter = atomic_load_explicit(&end_wait, memory_order_acquire);
  return waiter && callers_is_app(caller) && waiter();
}

int epoll_wait(int set, struct epoll_event *events, int count, int timeout) {
  return timeout != 0 && ends_wait(__builtin_return_address(0)) ? 0 : original_event_wait(set, events, count, timeout);
}

int ppoll(struct pollfd *descriptors, nfds_t count, const struct timespec *timeout, const sigset_t *signals) {
  bool only_looks = timeout && timeout->tv_sec == 0 && timeout->tv_nsec == 0;
  return !only_looks && ends_wait(__builtin_return_address(0)) ? 0 : original_poll(descriptors, count, timeout, signals);
}

void clocks_replace(ClockReader reader, ClockSleeper sleeper, ClockWaiter waiter) {
  atomic_store_explicit(&end_wait, waiter, memory_order_release);
  atomic_store_explicit(&sleep_virtual, sleeper, memory_order_release);
  atomic_store_explicit(&read_virtual, reader, memory_order_release);
}

#else

void clocks_replace(ClockReader reader, ClockSleeper sleeper, ClockWaiter waiter) { (void)reader, (void)sleeper, (void)waiter; }

#endif
