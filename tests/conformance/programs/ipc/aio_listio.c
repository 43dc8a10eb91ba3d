/* conformance: lio_listio with LIO_WAIT and LIO_NOWAIT */
#include "check.h"
#include <aio.h>
#include <fcntl.h>
#include <sys/mman.h>

int main(void)
{
    int fd = memfd_create("conformance", 0);
    CHECK(fd >= 0);
    char texts[2][3] = {"ab", "cd"}, back[8] = "";
    struct aiocb requests[2], *list[3];
    memset(requests, 0, sizeof requests);
    for (int i = 0; i < 2; i++) {
        requests[i].aio_fildes = fd;
        requests[i].aio_buf = texts[i];
        requests[i].aio_nbytes = 2;
        requests[i].aio_offset = 2 * i;
        requests[i].aio_lio_opcode = LIO_WRITE;
        requests[i].aio_sigevent.sigev_notify = SIGEV_NONE;
        list[i] = &requests[i];
    }
    list[2] = NULL;
    CHECK_EQ(lio_listio(LIO_WAIT, list, 3, NULL), 0);
    CHECK_EQ(aio_return(&requests[0]), 2);
    CHECK_EQ(aio_return(&requests[1]), 2);
    CHECK_EQ(pread(fd, back, 8, 0), 4);
    CHECK_STR(back, "abcd");
    requests[0].aio_lio_opcode = LIO_READ;
    CHECK_EQ(lio_listio(LIO_NOWAIT, list, 1, NULL), 0);
    const struct aiocb *first[1] = {&requests[0]};
    while (aio_error(&requests[0]) == EINPROGRESS)
        CHECK_EQ(aio_suspend(first, 1, NULL), 0);
    CHECK_EQ(aio_return(&requests[0]), 2);
    return ok();
}
