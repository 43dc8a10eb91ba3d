/* bug: a value is published by a flag that is a plain variable; preemptions: 2 */
// build: -O2
// run: --memory races
#include <pthread.h>
#include <stdio.h>

static int value;
static int published;

static void* publish(void* unused) {
    value = 42;
    published = 1;
    return unused;
}

int main(void) {
    pthread_t publisher;
    pthread_create(&publisher, NULL, publish, NULL);
    if (published) printf("%d\n", value);
    pthread_join(publisher, NULL);
    return 0;
}
