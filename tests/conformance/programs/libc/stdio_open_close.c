/* conformance: fopen, fclose, tmpfile, fseek, ftell, fread, ungetc, fileno */
#include "check.h"

/* Two threads open and close streams at the same time. */
static void *body(void *p)
{
    char text[8] = "";
    FILE *f = tmpfile(), *null = fopen("/dev/null", "r");
    CHECK(f && null);
    CHECK(fileno(f) >= 0 && fileno(f) != fileno(null));
    CHECK_EQ(fprintf(f, "%d", 12345), 5);
    CHECK_EQ(fseek(f, 1, SEEK_SET), 0);
    CHECK_EQ(fread(text, 1, 4, f), 4);
    CHECK_STR(text, "2345");
    CHECK_EQ(ftell(f), 5);
    CHECK_EQ(ungetc('x', f), 'x');
    CHECK_EQ(getc(f), 'x');
    CHECK_EQ(getc(null), EOF);
    CHECK_EQ(fclose(null), 0);
    CHECK_EQ(fclose(f), 0);
    return p;
}

int main(void)
{
    pthread_t a = start(body, NULL), b = start(body, NULL);
    join(a);
    join(b);
    return ok();
}
