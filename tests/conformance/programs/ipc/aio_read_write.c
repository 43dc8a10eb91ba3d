/* conformance: aio_write, aio_read, aio_error, aio_return, aio_suspend, aio_fsync */
#include "check.h"
#include <aio.h>
#include <fcntl.h>
#include <sys/mman.h>

static void wait_for(struct aiocb *one)
{
    const struct aiocb *list[1] = {one};
    while (aio_error(one) == EINPROGRESS)
        CHECK_EQ(aio_suspend(list, 1, NULL), 0);
    CHECK_EQ(aio_error(one), 0);
}

int main(void)
{
    int fd = memfd_create("conformance", 0);
    CHECK(fd >= 0);
    char text[] = "hello", back[8] = "";
    struct aiocb write_it = {0}, read_it = {0}, sync_it = {0};
    write_it.aio_fildes = read_it.aio_fildes = sync_it.aio_fildes = fd;
    write_it.aio_buf = text;
    write_it.aio_nbytes = 5;
    write_it.aio_offset = 3;
    write_it.aio_sigevent.sigev_notify = SIGEV_NONE;
    sync_it.aio_sigevent.sigev_notify = read_it.aio_sigevent.sigev_notify = SIGEV_NONE;
    CHECK_EQ(aio_write(&write_it), 0);
    wait_for(&write_it);
    CHECK_EQ(aio_return(&write_it), 5);
    CHECK_EQ(aio_fsync(O_SYNC, &sync_it), 0);
    wait_for(&sync_it);
    read_it.aio_buf = back;
    read_it.aio_nbytes = 8;
    read_it.aio_offset = 3;
    CHECK_EQ(aio_read(&read_it), 0);
    wait_for(&read_it);
    CHECK_EQ(aio_return(&read_it), 5);
    CHECK_STR(back, "hello");
    read_it.aio_fildes = 77;
    if (aio_read(&read_it) == 0) {
        const struct aiocb *list[1] = {&read_it};
        while (aio_error(&read_it) == EINPROGRESS)
            CHECK_EQ(aio_suspend(list, 1, NULL), 0);
        CHECK_EQ(aio_error(&read_it), EBADF);
    } else {
        CHECK_EQ(errno, EBADF);
    }
    return ok();
}
