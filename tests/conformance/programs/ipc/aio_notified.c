/* conformance: aio_read, aio_write with SIGEV_SIGNAL and SIGEV_THREAD */
#include "check.h"
#include <aio.h>
#include <fcntl.h>
#include <semaphore.h>
#include <signal.h>
#include <sys/mman.h>

static sem_t told;
static struct aiocb request;

static void tell(union sigval value)
{
    CHECK_EQ(value.sival_int, 9);
    CHECK_EQ(aio_error(&request), 0);
    sem_post(&told);
}

int main(void)
{
    sigset_t usr1;
    sigemptyset(&usr1);
    sigaddset(&usr1, SIGUSR1);
    CHECK_EQ(pthread_sigmask(SIG_BLOCK, &usr1, NULL), 0);
    CHECK_EQ(sem_init(&told, 0, 0), 0);
    int fd = memfd_create("conformance", 0);
    CHECK(fd >= 0);
    char text[] = "hello";
    request.aio_fildes = fd;
    request.aio_buf = text;
    request.aio_nbytes = 5;
    request.aio_sigevent.sigev_notify = SIGEV_SIGNAL;
    request.aio_sigevent.sigev_signo = SIGUSR1;
    request.aio_sigevent.sigev_value.sival_int = 8;
    CHECK_EQ(aio_write(&request), 0);
    siginfo_t info;
    CHECK_EQ(sigwaitinfo(&usr1, &info), SIGUSR1);
    CHECK_EQ(info.si_code, SI_ASYNCIO);
    CHECK_EQ(info.si_value.sival_int, 8);
    CHECK_EQ(aio_error(&request), 0);
    CHECK_EQ(aio_return(&request), 5);
    request.aio_sigevent.sigev_notify = SIGEV_THREAD;
    request.aio_sigevent.sigev_notify_function = tell;
    request.aio_sigevent.sigev_value.sival_int = 9;
    CHECK_EQ(aio_read(&request), 0);
    CHECK_EQ(sem_wait(&told), 0);
    CHECK_EQ(aio_return(&request), 5);
    return ok();
}
