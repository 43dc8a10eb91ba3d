/* bug: a packet's length is read again after it was checked, and another thread has changed it; preemptions: 1 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
// build: -fsanitize=address
struct packet {
    _Atomic unsigned length;
    char bytes[12];
};
static struct packet* packet;
static char answer[64];

static void* reply(void* unused) {
    (void)unused;
    if (packet->length <= sizeof packet->bytes) memcpy(answer, packet->bytes, packet->length);
    return 0;
}

static void* receive(void* unused) {
    (void)unused;
    packet->length = 40;
    return 0;
}

int main(void) {
    packet = calloc(1, sizeof *packet);
    packet->length = 5;
    pthread_t threads[2];
    pthread_create(&threads[0], 0, reply, 0);
    pthread_create(&threads[1], 0, receive, 0);
    for (int i = 0; i < 2; ++i) pthread_join(threads[i], 0);
    printf("%s\n", answer);
    free(packet);
    return 0;
}
