/* planted: deadlock: the server answers only a client that found it ready, but every client waits for an answer */
#include "check.h"
#include <stddef.h>
#include <sys/socket.h>
#include <sys/un.h>

static struct sockaddr_un address = {.sun_family = AF_UNIX};
static int ready;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *client(void *p)
{
    char byte;
    int fd = socket(AF_UNIX, SOCK_STREAM, 0);
    CHECK_EQ(connect(fd, (struct sockaddr *)&address, sizeof address), 0);
    pthread_mutex_lock(&mutex);
    int is_ready = ready;
    pthread_mutex_unlock(&mutex);
    CHECK_EQ(write(fd, is_ready ? "y" : "n", 1), 1);
    CHECK_EQ(read(fd, &byte, 1), 1);
    CHECK_EQ(close(fd), 0);
    return p;
}

int main(void)
{
    char byte;
    sprintf(address.sun_path, "conformance-%d", (int)getpid());
    unlink(address.sun_path);
    int listener = socket(AF_UNIX, SOCK_STREAM, 0);
    CHECK_EQ(bind(listener, (struct sockaddr *)&address, (socklen_t)(offsetof(struct sockaddr_un, sun_path) + strlen(address.sun_path) + 1)), 0);
    CHECK_EQ(listen(listener, 1), 0);
    pthread_t t = start(client, NULL);
    pthread_mutex_lock(&mutex);
    ready = 1;
    pthread_mutex_unlock(&mutex);
    int fd = accept(listener, NULL, NULL);
    CHECK_EQ(unlink(address.sun_path), 0);
    CHECK_EQ(read(fd, &byte, 1), 1);
    if (byte == 'y')
        CHECK_EQ(write(fd, &byte, 1), 1);
    join(t);
    return ok();
}
