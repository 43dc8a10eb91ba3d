/* bug: two writers of a ring both find room for one more, and the second writes behind its end; preemptions: 1 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
// build: -fsanitize=address
static atomic_int used;
static int* slots;

static void* add(void* value) {
    if (used < 1) {
        const int slot = used++;
        slots[slot] = (int)(size_t)value;
    }
    return NULL;
}

int main(void) {
    slots = malloc(1 * sizeof *slots);
    pthread_t threads[2];
    for (size_t i = 0; i < 2; ++i) pthread_create(&threads[i], NULL, add, (void*)i);
    for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
    free(slots);
    return 0;
}
