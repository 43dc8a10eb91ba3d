/* bug: sellers test an atomic number of seats and take one in two steps, so they sell more than there are; preemptions: 1 */
// airline [SELLERS [SEATS]]: 4 sellers for 3 seats. All seats but the last can be sold in any order.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int seats = 3, sold;

static void* sell(void* unused) {
    (void)unused;
    if (atomic_load(&seats) <= 0) return NULL;
    atomic_fetch_sub(&seats, 1);
    atomic_fetch_add(&sold, 1);
    return NULL;
}

int main(int count, char** arguments) {
    const int sellers = count > 1 ? atoi(arguments[1]) : 4;
    if (count > 2) atomic_store(&seats, atoi(arguments[2]));
    const int all = atomic_load(&seats);
    pthread_t* thread = calloc(sellers, sizeof *thread);
    for (int i = 0; i < sellers; ++i) pthread_create(&thread[i], NULL, sell, NULL);
    for (int i = 0; i < sellers; ++i) pthread_join(thread[i], NULL);
    assert(atomic_load(&sold) <= all);
    free(thread);
    return 0;
}
