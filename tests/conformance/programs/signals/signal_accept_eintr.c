/* conformance: accept, pthread_kill, sigaction */
#include "signal_interrupts.h"
#include <stddef.h>
#include <sys/socket.h>
#include <sys/un.h>

/* accept fails with EINTR, or accepts the client. */
static int listener;

static void *server(void *p)
{
    int fd = accept(listener, NULL, NULL);
    if (fd < 0) {
        CHECK_EQ(errno, EINTR);
        CHECK_EQ(handled, 1);
        fd = accept(listener, NULL, NULL);
    }
    CHECK(fd >= 0);
    return p;
}

int main(void)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    const int length = snprintf(address.sun_path + 1, sizeof address.sun_path - 1, "raddle-eintr-%d", (int)getpid());
    const socklen_t size = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + (size_t)length);
    listener = socket(AF_UNIX, SOCK_STREAM, 0);
    CHECK_EQ(bind(listener, (struct sockaddr *)&address, size), 0);
    CHECK_EQ(listen(listener, 4), 0);
    handle_signals(0);
    pthread_t t = start(server, NULL);
    interrupt(t);
    const int client = socket(AF_UNIX, SOCK_STREAM, 0);
    CHECK_EQ(connect(client, (struct sockaddr *)&address, size), 0);
    join(t);
    return ok();
}
