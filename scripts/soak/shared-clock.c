/*
 * Loaded before the C library (LD_PRELOAD): the clocks of every process of a soak run, moved together.
 *
 * The wall clock, the monotonic clocks, the time since the machine's start (also as /proc/uptime tells it) and what a
 * process waits for go by one offset in a file that all of them have mapped. When it grows, each process finds the state
 * of a machine that ran that long without anything to do. libfaketime cannot do this: it leaves /proc/uptime alone, and a
 * wait for events goes on for as long as the real clock takes.
 *
 * Each process tells in the file whether it waits, so that the offset only grows while nobody works.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#define SLOTS 128
#define NS 1000000000LL
/* How soon a process that waits sees that the clock has moved. */
#define LOOK_MS 1

/* Little-endian, as shared-clock.ts reads and writes it. */
struct slot {
  _Atomic int64_t pid;
  /* 1 while the main thread waits for events. */
  _Atomic int64_t waits;
  /* When it last had something to do, nanoseconds of the real monotonic clock. */
  _Atomic int64_t active;
  /* When it last looked while it waited, and nothing was due. */
  _Atomic int64_t looked;
};
struct shared {
  _Atomic int64_t wall;    /* ns that the wall clock is ahead beside what has passed */
  _Atomic int64_t elapsed; /* ns that have passed beside the real ones */
  struct slot slots[SLOTS];
};

static struct shared *shared;
static struct slot *own;

static int (*real_clock_gettime)(clockid_t, struct timespec *);
static int (*real_epoll_pwait)(int, struct epoll_event *, int, int, const sigset_t *);
static int (*real_open)(const char *, int, ...);
static int (*real_timedwait)(pthread_cond_t *, pthread_mutex_t *, const struct timespec *);
static int (*real_clockwait)(pthread_cond_t *, pthread_mutex_t *, clockid_t, const struct timespec *);

static int64_t ns_of(const struct timespec *t) { return t->tv_sec * NS + t->tv_nsec; }
static struct timespec spec_of(int64_t ns) { return (struct timespec){.tv_sec = ns / NS, .tv_nsec = ns % NS}; }

static void find(void) {
  if (real_clock_gettime) return;
  real_epoll_pwait = dlsym(RTLD_NEXT, "epoll_pwait");
  real_open = dlsym(RTLD_NEXT, "open");
  real_timedwait = dlsym(RTLD_NEXT, "pthread_cond_timedwait");
  real_clockwait = dlsym(RTLD_NEXT, "pthread_cond_clockwait");
  real_clock_gettime = dlsym(RTLD_NEXT, "clock_gettime");
}

static int64_t real_monotonic(void) {
  struct timespec t;
  find();
  real_clock_gettime(CLOCK_MONOTONIC, &t);
  return ns_of(&t);
}

__attribute__((constructor)) static void join(void) {
  const char *path = getenv("SHARED_CLOCK");
  find();
  if (!path || shared) return;
  int file = real_open(path, O_RDWR | O_CLOEXEC);
  if (file < 0) return;
  void *map = mmap(NULL, sizeof(struct shared), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  close(file);
  if (map == MAP_FAILED) return;
  shared = map;
  int64_t self = getpid();
  /* A program that became another one has its slot already. */
  for (int i = 0; i < SLOTS && !own; i++)
    if (atomic_load(&shared->slots[i].pid) == self) own = &shared->slots[i];
  for (int i = 0; i < SLOTS && !own; i++) {
    int64_t nobody = 0;
    if (atomic_compare_exchange_strong(&shared->slots[i].pid, &nobody, self)) own = &shared->slots[i];
  }
  if (!own) return;
  atomic_store(&own->waits, 0);
  atomic_store(&own->looked, 0);
  atomic_store(&own->active, real_monotonic());
}

__attribute__((destructor)) static void leave(void) {
  if (own && atomic_load(&own->pid) == getpid()) atomic_store(&own->pid, 0);
}

/* What is added to this clock; the processor time of a process is its own. */
static int64_t ahead(clockid_t clock) {
  if (!shared) return 0;
  switch (clock) {
  case CLOCK_REALTIME:
  case CLOCK_REALTIME_COARSE:
    return atomic_load(&shared->wall) + atomic_load(&shared->elapsed);
  case CLOCK_MONOTONIC:
  case CLOCK_MONOTONIC_COARSE:
  case CLOCK_MONOTONIC_RAW:
  case CLOCK_BOOTTIME:
    return atomic_load(&shared->elapsed);
  default:
    return 0;
  }
}

int clock_gettime(clockid_t clock, struct timespec *t) {
  find();
  int result = real_clock_gettime(clock, t);
  int64_t more = result == 0 ? ahead(clock) : 0;
  if (more) *t = spec_of(ns_of(t) + more);
  return result;
}

int gettimeofday(struct timeval *restrict t, void *restrict zone) {
  struct timespec now;
  (void)zone;
  clock_gettime(CLOCK_REALTIME, &now);
  *t = (struct timeval){.tv_sec = now.tv_sec, .tv_usec = now.tv_nsec / 1000};
  return 0;
}

time_t time(time_t *t) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  if (t) *t = now.tv_sec;
  return now.tv_sec;
}

static int64_t monotonic(void) { return real_monotonic() + ahead(CLOCK_MONOTONIC); }

/* A thread that waits for events as well, and is no worker: shared-clock.ts leaves it out by this name. */
static void name_it(void) {
  static _Thread_local int named;
  if (!named && gettid() != getpid()) pthread_setname_np(pthread_self(), "waits");
  named = 1;
}

int epoll_pwait(int epoll, struct epoll_event *events, int most, int timeout, const sigset_t *mask) {
  find();
  if (!shared || timeout == 0) return real_epoll_pwait(epoll, events, most, timeout, mask);
  int tells = own && gettid() == getpid();
  if (!tells) name_it();
  int64_t until = timeout < 0 ? INT64_MAX : monotonic() + timeout * 1000000LL;
  int count;
  if (tells) {
    atomic_store(&own->active, real_monotonic());
    atomic_store(&own->waits, 1);
  }
  for (;;) {
    int64_t looks = real_monotonic();
    int64_t left = (until - monotonic() + 999999) / 1000000;
    count = real_epoll_pwait(epoll, events, most, left < 0 ? 0 : left < LOOK_MS ? (int)left : LOOK_MS, mask);
    if (count != 0 || monotonic() >= until) break;
    if (tells) atomic_store(&own->looked, looks);
  }
  if (tells) {
    atomic_store(&own->active, real_monotonic());
    atomic_store(&own->waits, 0);
  }
  return count;
}

int epoll_wait(int epoll, struct epoll_event *events, int most, int timeout) {
  return epoll_pwait(epoll, events, most, timeout, NULL);
}

/* A moment of the moved clock as one of the real clock; what the clocks show differs by so much that it tells which. */
int pthread_cond_timedwait(pthread_cond_t *restrict cond, pthread_mutex_t *restrict mutex, const struct timespec *restrict at) {
  struct timespec wall;
  clock_gettime(CLOCK_REALTIME, &wall);
  int64_t more = ahead(at->tv_sec > wall.tv_sec / 2 ? CLOCK_REALTIME : CLOCK_MONOTONIC);
  struct timespec real = spec_of(ns_of(at) - more);
  return real_timedwait(cond, mutex, &real);
}

int pthread_cond_clockwait(pthread_cond_t *restrict cond, pthread_mutex_t *restrict mutex, clockid_t clock,
                           const struct timespec *restrict at) {
  struct timespec real = spec_of(ns_of(at) - ahead(clock));
  find();
  return real_clockwait(cond, mutex, clock, &real);
}

static int uptime_file(void) {
  char text[64];
  int64_t ns = real_monotonic() + ahead(CLOCK_BOOTTIME);
  int length = snprintf(text, sizeof text, "%lld.%02lld 0.00\n", (long long)(ns / NS), (long long)(ns % NS / 10000000));
  int file = memfd_create("uptime", MFD_CLOEXEC);
  if (file < 0 || write(file, text, length) != length) return file;
  lseek(file, 0, SEEK_SET);
  return file;
}

int open(const char *path, int flags, ...) {
  va_list rest;
  va_start(rest, flags);
  mode_t mode = va_arg(rest, mode_t);
  va_end(rest);
  find();
  if (shared && strcmp(path, "/proc/uptime") == 0) return uptime_file();
  return real_open(path, flags, mode);
}

int open64(const char *path, int flags, ...) {
  va_list rest;
  va_start(rest, flags);
  mode_t mode = va_arg(rest, mode_t);
  va_end(rest);
  return open(path, flags | O_LARGEFILE, mode);
}
