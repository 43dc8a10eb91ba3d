// For bench/long_execution.cpp: one thread takes a mutex of its own for the first number of actions, then two threads share one
// for the second number of actions.
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t own = PTHREAD_MUTEX_INITIALIZER, common = PTHREAD_MUTEX_INITIALIZER;
static int own_rounds, common_rounds;

static void *body(void *argument)
{
    if (argument != NULL)
        for (int i = 0; i < own_rounds; i++) {
            pthread_mutex_lock(&own);
            pthread_mutex_unlock(&own);
        }
    for (int i = 0; i < common_rounds; i++) {
        pthread_mutex_lock(&common);
        pthread_mutex_unlock(&common);
    }
    return NULL;
}

int main(int count, char **words)
{
    own_rounds = count > 1 ? atoi(words[1]) / 2 : 10;
    common_rounds = count > 2 ? atoi(words[2]) / 4 : 10;
    pthread_t threads[2];
    for (long i = 0; i < 2; i++) pthread_create(&threads[i], NULL, body, (void *)(1 - i));
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
    return 0;
}
