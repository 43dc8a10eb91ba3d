/* Events before the bug, and some behind it: each thread adds to a counter under a lock. A search that changes the last
 * steps first has to get through those behind it. */
#pragma once
#include <pthread.h>
#include <semaphore.h>
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
static void work_on(void) { work(9000); }

/* One thread is near the place of the bug; the other goes on from here only then. */
static sem_t near;
static void is_near(void) { sem_post(&near); }
static void await_other(void) { sem_wait(&near); }

static int run_two(void* (*first)(void*), void* (*second)(void*)) {
    pthread_t one, other;
    sem_init(&near, 0, 0);
    pthread_create(&one, NULL, first, NULL);
    pthread_create(&other, NULL, second, NULL);
    pthread_join(one, NULL);
    pthread_join(other, NULL);
    return 0;
}
