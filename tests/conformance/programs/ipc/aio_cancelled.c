/* conformance: aio_cancel, aio_suspend with a time limit */
#include "check.h"
#include <aio.h>

int main(void)
{
    int ends[2];
    CHECK_EQ(pipe(ends), 0);
    char byte;
    struct aiocb request = {0};
    request.aio_fildes = ends[0];
    request.aio_buf = &byte;
    request.aio_nbytes = 1;
    request.aio_sigevent.sigev_notify = SIGEV_NONE;
    CHECK_EQ(aio_read(&request), 0);
    const struct aiocb *list[1] = {&request};
    struct timespec span = {0, 1000000};
    CHECK_ERRNO(aio_suspend(list, 1, &span), EAGAIN);
    int result = aio_cancel(ends[0], &request);
    if (result == AIO_CANCELED) {
        CHECK_EQ(aio_error(&request), ECANCELED);
        CHECK_EQ(aio_return(&request), -1);
        return ok();
    }
    CHECK_EQ(result, AIO_NOTCANCELED);
    CHECK_EQ(write(ends[1], "x", 1), 1);
    CHECK_EQ(aio_suspend(list, 1, NULL), 0);
    CHECK_EQ(aio_return(&request), 1);
    CHECK_EQ(byte, 'x');
    CHECK_EQ(aio_cancel(ends[0], &request), AIO_ALLDONE);
    CHECK_ERRNO(aio_cancel(99, NULL), EBADF);
    return ok();
}
