/* conformance: mallopt, malloc_trim, mallinfo2, malloc_info */
/* raddle: unseen calls */
#include "check.h"
#include <malloc.h>

/* These calls may do anything or nothing, but they succeed, and the blocks stay intact. */
static void *body(void *p)
{
    char *a = strdup("kept"), *text = NULL;
    size_t size;
    FILE *f = open_memstream(&text, &size);
    CHECK(f);
    CHECK_EQ(mallopt(M_ARENA_MAX, 2), 1);
    int trimmed = malloc_trim(0);
    CHECK(trimmed == 0 || trimmed == 1);
    (void)mallinfo2();
    CHECK_EQ(malloc_info(0, f), 0);
    CHECK_EQ(fclose(f), 0);
    CHECK(size > 0);
    free(text);
    CHECK_STR(a, "kept");
    free(a);
    return p;
}

int main(void)
{
    join(start(body, NULL));
    return ok();
}
