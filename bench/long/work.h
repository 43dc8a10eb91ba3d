/* Events before the bug: each thread adds to a counter of its own under a lock that all share. */
#pragma once
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

static pthread_mutex_t of_work = PTHREAD_MUTEX_INITIALIZER;
static atomic_int done;

static int amount(int count, char** words) { return count > 1 ? atoi(words[1]) : 1000; }

static void work(int events) {
    for (int i = 0; i < events; i += 3) {
        pthread_mutex_lock(&of_work);
        atomic_fetch_add(&done, 1);
        pthread_mutex_unlock(&of_work);
    }
}

static int events_each;

static int run_two(void* (*first)(void*), void* (*second)(void*)) {
    pthread_t one, other;
    pthread_create(&one, NULL, first, NULL);
    pthread_create(&other, NULL, second, NULL);
    pthread_join(one, NULL);
    pthread_join(other, NULL);
    return 0;
}
