/* conformance: getenv, setenv, unsetenv, putenv, secure_getenv */
#include "check.h"

static void *reader(void *p)
{
    CHECK_STR(getenv("CONFORMANCE_A"), "1");
    CHECK(getenv("CONFORMANCE_NONE") == NULL);
    return p;
}

static void *writer(void *p)
{
    CHECK_EQ(setenv("CONFORMANCE_B", "2", 1), 0);
    CHECK_EQ(setenv("CONFORMANCE_B", "3", 0), 0);
    CHECK_STR(secure_getenv("CONFORMANCE_B"), "2");
    return p;
}

int main(void)
{
    static char pair[] = "CONFORMANCE_C=4";
    CHECK_EQ(setenv("CONFORMANCE_A", "1", 1), 0);
    pthread_t a = start(reader, NULL), b = start(reader, NULL);
    join(a);
    join(b);
    join(start(writer, NULL));
    CHECK_STR(getenv("CONFORMANCE_B"), "2"); /* all threads share one environment */
    CHECK_EQ(unsetenv("CONFORMANCE_B"), 0);
    CHECK(getenv("CONFORMANCE_B") == NULL);
    CHECK_EQ(putenv(pair), 0);
    CHECK_STR(getenv("CONFORMANCE_C"), "4");
    return ok();
}
