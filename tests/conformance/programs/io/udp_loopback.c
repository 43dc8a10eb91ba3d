/* conformance: UDP on loopback in one process: sendto, recvfrom, an answer to the sender */
#include "check.h"
#include <arpa/inet.h>
#include <sys/socket.h>

static int server;

static void *serve(void *p)
{
    struct sockaddr_in from;
    socklen_t length = sizeof from;
    char byte;
    CHECK_EQ(recvfrom(server, &byte, 1, 0, (struct sockaddr *)&from, &length), 1);
    byte++;
    CHECK_EQ(sendto(server, &byte, 1, 0, (struct sockaddr *)&from, length), 1);
    return p;
}

int main(void)
{
    struct sockaddr_in address = {0};
    socklen_t length = sizeof address;
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    CHECK((server = socket(AF_INET, SOCK_DGRAM, 0)) >= 0);
    CHECK_EQ(bind(server, (struct sockaddr *)&address, sizeof address), 0);
    CHECK_EQ(getsockname(server, (struct sockaddr *)&address, &length), 0);
    pthread_t t = start(serve, NULL);
    int client = socket(AF_INET, SOCK_DGRAM, 0);
    char byte = 'a';
    CHECK_EQ(sendto(client, &byte, 1, 0, (struct sockaddr *)&address, sizeof address), 1);
    CHECK_EQ(recv(client, &byte, 1, 0), 1);
    CHECK_EQ(byte, 'b');
    join(t);
    return ok();
}
