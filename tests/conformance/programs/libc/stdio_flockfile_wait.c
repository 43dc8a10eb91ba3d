/* conformance: flockfile, fputs, fflush */
/* raddle: unseen calls */
#include "check.h"

/* A thread that prints waits for the stream's owner; meanwhile the owner uses a mutex. */
static FILE *f;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *print(void *p)
{
    pthread_mutex_lock(&m);
    pthread_mutex_unlock(&m);
    CHECK(fputs("b", f) >= 0);
    CHECK_EQ(fflush(f), 0);
    return p;
}

int main(void)
{
    char *text = NULL;
    size_t size = 0;
    CHECK((f = open_memstream(&text, &size)));
    flockfile(f);
    pthread_t t = start(print, NULL);
    fputc('a', f);
    pthread_mutex_lock(&m);
    fputc('a', f);
    pthread_mutex_unlock(&m);
    funlockfile(f);
    join(t);
    CHECK_EQ(fclose(f), 0);
    CHECK_STR(text, "aab");
    free(text);
    return ok();
}
