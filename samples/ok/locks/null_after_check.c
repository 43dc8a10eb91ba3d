/* ok: a pointer is tested and followed in one critical section */
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int* session;

static void* use(void* unused) {
    (void)unused;
    pthread_mutex_lock(&m);
    if (session != NULL) ++*session;
    pthread_mutex_unlock(&m);
    return NULL;
}

static void* close_session(void* unused) {
    (void)unused;
    pthread_mutex_lock(&m);
    free(session);
    session = NULL;
    pthread_mutex_unlock(&m);
    return NULL;
}

int main(void) {
    pthread_t user, closer;
    session = calloc(1, sizeof *session);
    pthread_create(&user, NULL, use, NULL);
    pthread_create(&closer, NULL, close_session, NULL);
    pthread_join(user, NULL);
    pthread_join(closer, NULL);
    return 0;
}
