/* ok: a value is published by an atomic flag */
// build: -O2
// run: --memory races
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static int value;
static atomic_int published;

static void* publish(void* unused) {
    value = 42;
    atomic_store(&published, 1);
    return unused;
}

int main(void) {
    pthread_t publisher;
    pthread_create(&publisher, NULL, publish, NULL);
    if (atomic_load(&published)) printf("%d\n", value);
    pthread_join(publisher, NULL);
    return 0;
}
