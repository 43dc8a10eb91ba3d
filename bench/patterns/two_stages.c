/* bug: writers fill two cells, each under its own lock, and readers compare the cells; preemptions: 1 */
// two_stages [N]: N writers (2) and N readers. A reader between the two stages of the first writer sees half of its work.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t first_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t second_lock = PTHREAD_MUTEX_INITIALIZER;
static int first, second;

static void* write_both(void* unused) {
    (void)unused;
    pthread_mutex_lock(&first_lock);
    first = 1;
    pthread_mutex_unlock(&first_lock);
    pthread_mutex_lock(&second_lock);
    second = 1;
    pthread_mutex_unlock(&second_lock);
    return NULL;
}

static void* compare(void* unused) {
    (void)unused;
    pthread_mutex_lock(&first_lock);
    const int seen_first = first;
    pthread_mutex_unlock(&first_lock);
    if (seen_first == 0) return NULL;
    pthread_mutex_lock(&second_lock);
    const int seen_second = second;
    pthread_mutex_unlock(&second_lock);
    assert(seen_second == seen_first);
    return NULL;
}

int main(int count, char** arguments) {
    const int each = count > 1 ? atoi(arguments[1]) : 2;
    pthread_t* thread = calloc(2 * each, sizeof *thread);
    for (int i = 0; i < each; ++i) pthread_create(&thread[i], NULL, write_both, NULL);
    for (int i = each; i < 2 * each; ++i) pthread_create(&thread[i], NULL, compare, NULL);
    for (int i = 0; i < 2 * each; ++i) pthread_join(thread[i], NULL);
    free(thread);
    return 0;
}
