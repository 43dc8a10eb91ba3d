/* conformance: flockfile, funlockfile, putc_unlocked */
/* raddle: unseen calls */
#include "check.h"

/* flockfile keeps two pieces of output together; the owner may lock again, and print as usual. */
static FILE *f;

static void *print(void *p)
{
    const char *word = (const char *)p;
    flockfile(f);
    putc_unlocked(word[0], f);
    flockfile(f);
    fputc(word[1], f);
    funlockfile(f);
    fprintf(f, "%c", word[2]);
    funlockfile(f);
    return p;
}

int main(void)
{
    char *text = NULL;
    size_t size = 0;
    CHECK((f = open_memstream(&text, &size)));
    pthread_t a = start(print, "abc"), b = start(print, "xyz");
    join(a);
    join(b);
    CHECK_EQ(fclose(f), 0);
    CHECK(strcmp(text, "abcxyz") == 0 || strcmp(text, "xyzabc") == 0);
    free(text);
    return ok();
}
