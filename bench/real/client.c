/* flags: -shared -fPIC */
/* A small client in a thread of the server's own process, preloaded into the server: so the schedule decides when the
   client connects and how far the server runs meanwhile. It connects to CLIENT_SOCKET, sends CLIENT_SENDS, prints the
   answer up to CLIENT_LAST or end of file, sends CLIENT_FAREWELL, and sends CLIENT_SIGNAL to the process.
   If CLIENT_IN_CHILD is set, the client runs in a forked child of the server. */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

static char *server, *sends, *last, *farewell, *signal_number;

static int connected(const char *path)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    strncpy(address.sun_path, path, sizeof address.sun_path - 1);
    for (int tries = 0; tries < 2000; ++tries) {
        int fd = socket(AF_UNIX, SOCK_STREAM, 0);
        if (fd >= 0 && connect(fd, (struct sockaddr *)&address, sizeof address) == 0) return fd;
        close(fd);
        usleep(1000);
    }
    return -1;
}

static void *client(void *unused)
{
    static char answer[65536];
    size_t have = 0;
    int fd = connected(server);
    if (fd < 0 || write(fd, sends, strlen(sends)) < 0) abort();
    while (have < sizeof answer - 1) {
        ssize_t more = read(fd, answer + have, sizeof answer - 1 - have);
        if (more <= 0) break;
        have += (size_t)more;
        answer[have] = 0;
        if (last != NULL && strstr(answer, last) != NULL) break;
    }
    fwrite(answer, 1, have, stdout);
    fflush(stdout);
    if (farewell != NULL && write(fd, farewell, strlen(farewell)) < 0) abort();
    close(fd);
    if (signal_number != NULL) kill(getpid(), atoi(signal_number));
    return unused;
}

/* copied: servers overwrite their environment */
static char *copy_of(const char *name)
{
    const char *value = getenv(name);
    return value != NULL ? strdup(value) : NULL;
}

static void start(void)
{
    pthread_t thread;
    if (pthread_create(&thread, NULL, client, NULL) == 0) pthread_detach(thread);
}

__attribute__((constructor)) static void begin(void)
{
    server = copy_of("CLIENT_SOCKET");
    sends = copy_of("CLIENT_SENDS");
    last = copy_of("CLIENT_LAST");
    farewell = copy_of("CLIENT_FAREWELL");
    signal_number = copy_of("CLIENT_SIGNAL");
    const char *of = getenv("CLIENT_OF");  /* the program to run in, not the shell that starts it */
    if (server == NULL || sends == NULL || of == NULL || strcmp(of, program_invocation_short_name) != 0) return;
    if (getenv("CLIENT_IN_CHILD") != NULL)
        pthread_atfork(NULL, NULL, start);
    else
        start();
}
