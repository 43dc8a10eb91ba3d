// Shared by the programs here: main starts two threads and joins both. Lines with "race" in a comment have the accesses
// of a race; raddle must report these lines and no others.
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static inline int run(void* (*one)(void*), void* (*other)(void*), void* argument) {
    pthread_t a, b;
    pthread_create(&a, 0, one, argument);
    pthread_create(&b, 0, other, argument);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
