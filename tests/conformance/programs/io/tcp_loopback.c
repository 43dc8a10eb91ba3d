/* conformance: socket, bind, listen, accept, connect, send, recv, getpeername */
#include "check.h"
#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>

static int listener;

static void *server(void *p)
{
    char text[4];
    int fd = accept(listener, NULL, NULL);
    CHECK(fd >= 0);
    CHECK_EQ(recv(fd, text, 3, MSG_WAITALL), 3);
    CHECK_EQ(send(fd, text, 3, 0), 3);
    CHECK_EQ(close(fd), 0);
    return p;
}

int main(void)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)}, peer;
    socklen_t length = sizeof address;
    char text[4] = "";
    CHECK((listener = socket(AF_INET, SOCK_STREAM, 0)) >= 0);
    CHECK_EQ(bind(listener, (struct sockaddr *)&address, length), 0); /* the kernel chooses a free port */
    CHECK_EQ(getsockname(listener, (struct sockaddr *)&address, &length), 0);
    CHECK_EQ(listen(listener, 1), 0);
    pthread_t t = start(server, NULL);
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    CHECK_EQ(connect(fd, (struct sockaddr *)&address, length), 0);
    CHECK_EQ(getpeername(fd, (struct sockaddr *)&peer, &length), 0);
    CHECK_EQ(peer.sin_port, address.sin_port);
    CHECK_EQ(send(fd, "abc", 3, 0), 3);
    CHECK_EQ(recv(fd, text, 3, MSG_WAITALL), 3);
    CHECK_STR(text, "abc");
    CHECK_EQ(recv(fd, text, 1, 0), 0);
    join(t);
    return ok();
}
