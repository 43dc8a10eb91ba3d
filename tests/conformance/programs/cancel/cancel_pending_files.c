/* conformance: read, write, readv, writev, pread, pwrite, fsync, fdatasync, close, creat, openat, msync, fopen, fgets, getc, fflush, system, posix_spawn, popen, dup, fork, lseek, pthread_cancel */
#define _GNU_SOURCE
#include "check.h"
#include <fcntl.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include "cancel.h"

extern char **environ;
static int fd;
static char byte, line[64];
static struct iovec iov = {&byte, 1};
static void *page;
static FILE *in, *out;
static void in_read(void) { if (read(fd, &byte, 1)) {} }
static void in_write(void) { if (write(fd, &byte, 1)) {} }
static void in_readv(void) { if (readv(fd, &iov, 1)) {} }
static void in_writev(void) { if (writev(fd, &iov, 1)) {} }
static void in_pread(void) { if (pread(fd, &byte, 1, 0)) {} }
static void in_pwrite(void) { if (pwrite(fd, &byte, 1, 0)) {} }
static void in_fsync(void) { fsync(fd); }
static void in_fdatasync(void) { fdatasync(fd); }
static void in_close(void) { close(-1); }
static void in_openat(void) { openat(AT_FDCWD, "/dev/null", O_RDONLY); }
static void in_creat(void) { creat("/dev/null", 0600); }
static void in_msync(void) { msync(page, 4096, MS_SYNC); }
static void in_fopen(void) { fopen("/dev/null", "r"); }
static void in_getc(void) { getc(in); }
static void in_fgets(void) { if (fgets(line, sizeof line, in)) {} }
static void in_fflush(void) { fflush(out); }
static void in_system(void) { if (system("true")) {} }

/* None of these acts on a request. */
static void in_dup(void) { CHECK(dup(fd) >= 0); }
static void in_lseek(void) { CHECK_EQ(lseek(fd, 0, SEEK_SET), 0); }
static void in_buffer(void) { CHECK_EQ(fputs("x", out), 1); }
static void in_spawn(void)
{
    char *words[] = {(char *)"true", NULL};
    pid_t child;
    int state, status;
    CHECK_EQ(posix_spawn(&child, "/bin/true", NULL, NULL, words, environ), 0);
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &state);
    CHECK_EQ(waitpid(child, &status, 0), child);
}

int main(void)
{
    CHECK((fd = memfd_create("file", 0)) >= 0);
    CHECK_EQ(pwrite(fd, "abc\n", 4, 0), 4);
    CHECK((in = fopen("/etc/passwd", "r")) != NULL);
    CHECK((out = fopen("/dev/null", "w")) != NULL);
    page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    CHECK(cancelled_in(in_read));
    CHECK(cancelled_in(in_write));
    CHECK(cancelled_in(in_readv));
    CHECK(cancelled_in(in_writev));
    CHECK(cancelled_in(in_pread));
    CHECK(cancelled_in(in_pwrite));
    CHECK(cancelled_in(in_fsync));
    CHECK(cancelled_in(in_fdatasync));
    CHECK(cancelled_in(in_close));
    CHECK(cancelled_in(in_openat));
    CHECK(cancelled_in(in_creat));
    CHECK(cancelled_in(in_msync));
    CHECK(cancelled_in(in_fopen));
    CHECK(cancelled_in(in_getc));
    CHECK(cancelled_in(in_fgets));
    CHECK(!cancelled_in(in_buffer));
    CHECK(cancelled_in(in_fflush));
    CHECK(cancelled_in(in_system));
    CHECK(!cancelled_in(in_dup));
    CHECK(!cancelled_in(in_lseek));
    CHECK(!cancelled_in(in_spawn));
    CHECK_EQ(getc(in) != EOF, 1); /* the file was not read before */
    return ok();
}
