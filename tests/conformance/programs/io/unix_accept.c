/* conformance: socket, bind, listen, accept, connect, getsockname */
#include "check.h"
#include <sys/socket.h>
#include <sys/un.h>

static int listener;

static void *server(void *p)
{
    char byte = 0;
    int fd = accept(listener, NULL, NULL);
    CHECK(fd >= 0);
    CHECK_EQ(read(fd, &byte, 1), 1);
    byte++;
    CHECK_EQ(write(fd, &byte, 1), 1);
    CHECK_EQ(read(fd, &byte, 1), 0); /* the client closes the connection */
    CHECK_EQ(close(fd), 0);
    return p;
}

int main(void)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    socklen_t length = sizeof address;
    char byte = 'a';
    CHECK((listener = socket(AF_UNIX, SOCK_STREAM, 0)) >= 0);
    CHECK_EQ(bind(listener, (struct sockaddr *)&address, sizeof(sa_family_t)), 0); /* the kernel chooses an abstract name */
    CHECK_EQ(getsockname(listener, (struct sockaddr *)&address, &length), 0);
    CHECK_EQ(listen(listener, 1), 0);
    pthread_t t = start(server, NULL);
    int fd = socket(AF_UNIX, SOCK_STREAM, 0);
    CHECK(fd >= 0);
    CHECK_EQ(connect(fd, (struct sockaddr *)&address, length), 0);
    CHECK_EQ(write(fd, &byte, 1), 1);
    CHECK_EQ(read(fd, &byte, 1), 1);
    CHECK_EQ(byte, 'b');
    CHECK_EQ(close(fd), 0);
    join(t);
    CHECK_EQ(close(listener), 0);
    return ok();
}
