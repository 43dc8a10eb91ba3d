/* conformance: clock_gettime, gettimeofday, time, clock, times */
#include "check.h"
#include <sys/time.h>
#include <sys/times.h>

/* No clock runs backwards, within a thread or across a handover from one thread to another. */
static const clockid_t clocks[] = {CLOCK_REALTIME, CLOCK_MONOTONIC, CLOCK_MONOTONIC_RAW, CLOCK_BOOTTIME,
                                   CLOCK_REALTIME_COARSE, CLOCK_MONOTONIC_COARSE, CLOCK_PROCESS_CPUTIME_ID};
enum { kinds = sizeof clocks / sizeof *clocks };

struct sample {
    long long by_id[kinds], day;
    time_t seconds;
    clock_t cpu, ticks;
};

static struct sample take(void)
{
    struct sample s;
    struct timeval tv;
    struct tms tms;
    for (int i = 0; i < kinds; i++)
        s.by_id[i] = now(clocks[i]);
    CHECK_EQ(gettimeofday(&tv, NULL), 0);
    s.day = tv.tv_sec * 1000000LL + tv.tv_usec;
    s.seconds = time(NULL);
    s.cpu = clock();
    s.ticks = times(&tms);
    CHECK(s.cpu != (clock_t)-1 && s.ticks != (clock_t)-1);
    return s;
}

static void *later_than(void *p)
{
    const struct sample *before = (struct sample *)p;
    struct sample s = take();
    for (int i = 0; i < kinds; i++)
        CHECK(s.by_id[i] >= before->by_id[i]);
    CHECK(s.day >= before->day);
    CHECK(s.seconds >= before->seconds);
    CHECK(s.cpu >= before->cpu);
    CHECK(s.ticks >= before->ticks);
    return p;
}

int main(void)
{
    struct sample s = take();
    later_than(&s);
    join(start(later_than, &s));
    s = take();
    pthread_t a = start(later_than, &s), b = start(later_than, &s);
    join(a);
    join(b);
    return ok();
}
