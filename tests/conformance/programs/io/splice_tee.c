/* conformance: splice, tee, sendfile, copy_file_range, memfd_create */
#include "check.h"
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/sendfile.h>

static int from[2], to[2];

static void *writer(void *p)
{
    CHECK_EQ(write(from[1], "abc", 3), 3);
    return p;
}

int main(void)
{
    char text[8] = "";
    CHECK_EQ(pipe(from), 0);
    CHECK_EQ(pipe(to), 0);
    CHECK_ERRNO(splice(from[0], NULL, to[1], NULL, 3, SPLICE_F_NONBLOCK), EAGAIN);
    pthread_t t = start(writer, NULL);
    CHECK_EQ(tee(from[0], to[1], 3, 0), 3);
    CHECK_EQ(splice(from[0], NULL, to[1], NULL, 3, 0), 3);
    join(t);
    CHECK_EQ(read(to[0], text, 6), 6);
    CHECK_STR(text, "abcabc");
    int file = memfd_create("conformance", 0), copy = memfd_create("conformance", 0);
    CHECK(file >= 0 && copy >= 0);
    CHECK_EQ(write(file, "hello", 5), 5);
    off_t at = 1;
    CHECK_EQ(sendfile(to[1], file, &at, 3), 3);
    CHECK_EQ(at, 4);
    CHECK_EQ(read(to[0], text, 3), 3);
    CHECK_EQ(memcmp(text, "ell", 3), 0);
    off64_t begin = 0;
    CHECK_EQ(copy_file_range(file, &begin, copy, NULL, 5, 0), 5);
    return ok();
}
