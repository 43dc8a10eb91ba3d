/* conformance: strdup, strndup, asprintf, getline, open_memstream */
/* raddle: unseen calls */
#include "check.h"

/* The C library allocates these blocks; the program frees them. */
static void *body(void *p)
{
    char *a = strdup("text"), *b = strndup("longer text", 6), *c = NULL, *d = NULL, *line = NULL;
    size_t size = 0, capacity = 0;
    CHECK_STR(a, "text");
    CHECK_STR(b, "longer");
    CHECK_EQ(asprintf(&c, "%s-%d", a, 42), 7);
    CHECK_STR(c, "text-42");
    FILE *f = open_memstream(&d, &size);
    CHECK(f);
    for (int i = 0; i < 1000; i++)
        CHECK(fprintf(f, "%03d\n", i) == 4);
    CHECK_EQ(fclose(f), 0);
    CHECK_EQ(size, 4000);
    CHECK((f = fmemopen(d, size, "r")));
    for (int i = 0; i < 1000; i++) {
        CHECK_EQ(getline(&line, &capacity, f), 4);
        CHECK_EQ(atoi(line), i);
    }
    CHECK_EQ(getline(&line, &capacity, f), -1);
    CHECK_EQ(fclose(f), 0);
    free(a);
    free(b);
    free(c);
    free(d);
    free(line);
    return p;
}

int main(void)
{
    pthread_t a = start(body, NULL), b = start(body, NULL);
    join(a);
    join(b);
    return ok();
}
