/* conformance: strerror, strerror_r, strsignal, strtok_r, strtok, dlerror */
#include "check.h"
#include <dlfcn.h>
#include <signal.h>

/* The C library keeps these buffers per thread. */
static pthread_barrier_t all_there;

static void *body(void *p)
{
    char number[32], words[] = "a,b;c", buffer[64], *state = NULL;
    snprintf(number, sizeof number, "Unknown error %d", *(int *)p);
    const char *mine = strerror(*(int *)p);
    const char *signal_name = strsignal(*(int *)p);
    CHECK(dlsym(RTLD_DEFAULT, "no_such_symbol_here") == NULL);
    CHECK_STR(strtok_r(words, ",;", &state), "a");
    pthread_barrier_wait(&all_there); /* the other thread does the same with its own number */
    CHECK_STR(mine, number);
    CHECK(strstr(signal_name, number + strlen("Unknown error ")));
    const char *failure = dlerror();
    CHECK(failure && strstr(failure, "no_such_symbol_here"));
    CHECK(dlerror() == NULL);
    CHECK_STR(strtok_r(NULL, ",;", &state), "b");
    CHECK_STR(strtok_r(NULL, ",;", &state), "c");
    CHECK(strtok_r(NULL, ",;", &state) == NULL);
    CHECK_STR(strerror_r(ENOENT, buffer, sizeof buffer), "No such file or directory");
    return p;
}

int main(void)
{
    int one = 12345, two = 54321;
    char words[] = "x y";
    CHECK_STR(strtok(words, " "), "x");
    pthread_barrier_init(&all_there, NULL, 2);
    pthread_t a = start(body, &one), b = start(body, &two);
    join(a);
    join(b);
    CHECK_STR(strtok(NULL, " "), "y");
    return ok();
}
