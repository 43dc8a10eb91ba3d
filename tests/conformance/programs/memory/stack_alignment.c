/* conformance: pthread_create */
#include "check.h"
#include <stdint.h>

/* The stack of the start function is aligned as the calling convention requires, even under a tool. */
static void *body(void *p)
{
    _Alignas(16) volatile double a[2] = {1.5, 2.5};
    _Alignas(64) volatile char b[64];
    b[63] = 1;
    CHECK_EQ((uintptr_t)__builtin_frame_address(0) % 16, 0);
    CHECK_EQ((uintptr_t)a % 16, 0);
    CHECK_EQ((uintptr_t)b % 64, 0);
    char text[32];
    snprintf(text, sizeof text, "%.1f %.1Lf", a[0] + a[1], (long double)a[1]); /* SSE and x87 through varargs */
    CHECK_STR(text, "4.0 2.5");
    return p;
}

int main(void)
{
    body(NULL);
    pthread_t a = start(body, NULL), b = start(body, NULL);
    join(a);
    join(b);
    return ok();
}
