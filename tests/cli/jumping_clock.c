/* A wall clock for LD_PRELOAD that jumps: each reading differs by hours from the one before. */
#define _GNU_SOURCE
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static long jump(void) {
    static unsigned looks;
    return (long)(__atomic_fetch_add(&looks, 1, __ATOMIC_RELAXED) % 5) * 18000 - 36000;
}

int clock_gettime(clockid_t clock, struct timespec* time) {
    const long result = syscall(SYS_clock_gettime, clock, time);
    if (result == 0 && clock == CLOCK_REALTIME) time->tv_sec += jump();
    return (int)result;
}

time_t time(time_t* where) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    if (where) *where = now.tv_sec;
    return now.tv_sec;
}

int gettimeofday(struct timeval* restrict time, void* restrict zone) {
    struct timespec now;
    (void)zone;
    clock_gettime(CLOCK_REALTIME, &now);
    time->tv_sec = now.tv_sec;
    time->tv_usec = now.tv_nsec / 1000;
    return 0;
}
