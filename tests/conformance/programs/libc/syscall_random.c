/* conformance: syscall */
#include "check.h"
#include <sys/syscall.h>

static void *body(void *p)
{
    CHECK_EQ(syscall(SYS_getrandom, p, 16, 0), 16);
    return p;
}

int main(void)
{
    unsigned char a_bytes[16] = {0}, b_bytes[16] = {0}, zero[16] = {0};
    pthread_t a = start(body, a_bytes), b = start(body, b_bytes);
    join(a);
    join(b);
    CHECK(memcmp(a_bytes, zero, 16) != 0);
    CHECK(memcmp(a_bytes, b_bytes, 16) != 0);
    return ok();
}
