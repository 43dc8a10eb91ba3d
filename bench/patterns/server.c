/* bug: the workers of a server count served requests without a lock; preemptions: 1 */
// server [WORKERS [CLIENTS]]: 4 workers, 3 clients, and about 50 ms of start-up, in which the server stretches a key.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

static int arrivals[2];  // a pipe of connections, in place of a listening socket
static volatile int served;
static unsigned key;

static void start_up(void) {
    unsigned stretched = 2463534242u;
    for (unsigned round = 0; round < 25000000; ++round) {
        stretched ^= stretched << 13;
        stretched ^= stretched >> 17;
        stretched ^= stretched << 5;
    }
    key = stretched;
}

static void* work(void* unused) {
    (void)unused;
    int connection;
    while (read(arrivals[0], &connection, sizeof connection) == sizeof connection && connection >= 0) {
        unsigned char request;
        assert(read(connection, &request, 1) == 1);
        const unsigned answer = (request ^ key);
        const int before = served;
        served = before + 1;
        assert(write(connection, &answer, sizeof answer) == sizeof answer);
        close(connection);
    }
    return NULL;
}

static void* ask(void* number) {
    const unsigned char request = *(unsigned char*)number;
    int ends[2];
    unsigned answer;
    assert(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0);
    assert(write(ends[0], &request, 1) == 1);
    assert(write(arrivals[1], &ends[1], sizeof ends[1]) == sizeof ends[1]);
    assert(read(ends[0], &answer, sizeof answer) == sizeof answer && answer == (request ^ key));
    close(ends[0]);
    return NULL;
}

int main(int count, char** arguments) {
    const int workers = count > 1 ? atoi(arguments[1]) : 4;
    const int clients = count > 2 ? atoi(arguments[2]) : 3;
    static unsigned char request[256];
    pthread_t* worker = calloc(workers, sizeof *worker);
    pthread_t* client = calloc(clients, sizeof *client);
    start_up();
    assert(pipe(arrivals) == 0);
    for (int i = 0; i < workers; ++i) pthread_create(&worker[i], NULL, work, NULL);
    for (int i = 0; i < clients; ++i) {
        request[i] = i;
        pthread_create(&client[i], NULL, ask, &request[i]);
    }
    for (int i = 0; i < clients; ++i) pthread_join(client[i], NULL);
    const int last = -1;
    for (int i = 0; i < workers; ++i) assert(write(arrivals[1], &last, sizeof last) == sizeof last);
    for (int i = 0; i < workers; ++i) pthread_join(worker[i], NULL);
    assert(served == clients);
    return 0;
}
