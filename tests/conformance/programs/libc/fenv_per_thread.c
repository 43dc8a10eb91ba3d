/* conformance: fesetround, fegetround, feraiseexcept, fetestexcept */
// build: -lm
#include "check.h"
#include <fenv.h>
#include <math.h>

/* Each thread keeps its rounding mode and exception flags across every switch; a new thread inherits the mode. */
static pthread_barrier_t all_there;
static volatile double one = 1, three = 3;

static void *body(void *p)
{
    int mode = *(int *)p;
    CHECK_EQ(fegetround(), FE_TOWARDZERO);
    CHECK_EQ(fesetround(mode), 0);
    feclearexcept(FE_ALL_EXCEPT);
    if (mode == FE_UPWARD)
        feraiseexcept(FE_DIVBYZERO);
    pthread_barrier_wait(&all_there);
    CHECK_EQ(fegetround(), mode);
    CHECK_EQ(fetestexcept(FE_DIVBYZERO) != 0, mode == FE_UPWARD);
    CHECK_EQ(lrint(2.5 * one), mode == FE_UPWARD ? 3 : 2);
    CHECK_EQ(one / three > 0.33333333333333333, mode == FE_UPWARD);
    return p;
}

int main(void)
{
    int up = FE_UPWARD, down = FE_DOWNWARD;
    pthread_barrier_init(&all_there, NULL, 2);
    CHECK_EQ(fesetround(FE_TOWARDZERO), 0);
    pthread_t a = start(body, &up), b = start(body, &down);
    join(a);
    join(b);
    CHECK_EQ(fegetround(), FE_TOWARDZERO);
    return ok();
}
