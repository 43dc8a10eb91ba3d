/* conformance: dlopen, dlsym, dlclose, dladdr */
#include "check.h"
#include <dlfcn.h>

static void *body(void *p)
{
    void *m = dlopen("libm.so.6", RTLD_NOW);
    CHECK(m);
    double (*cosine)(double) = (double (*)(double))dlsym(m, "cos");
    CHECK(cosine);
    CHECK(cosine(0.0) == 1.0);
    Dl_info info;
    CHECK(dladdr((void *)cosine, &info) != 0);
    CHECK(strstr(info.dli_fname, "libm"));
    CHECK_EQ(dlclose(m), 0);
    CHECK(dlopen("libno-such-library.so", RTLD_NOW) == NULL);
    CHECK(dlerror() != NULL);
    return p;
}

int main(void)
{
    pthread_t a = start(body, NULL), b = start(body, NULL);
    join(a);
    join(b);
    return ok();
}
