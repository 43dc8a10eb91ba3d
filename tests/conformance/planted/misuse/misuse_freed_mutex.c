/* planted: misuse: a thread locks a mutex in a block that the other thread may have freed */
#include "check.h"

static pthread_mutex_t list_lock = PTHREAD_MUTEX_INITIALIZER;

static struct node {
    pthread_mutex_t m;
    int value;
} *node;

static void *user(void *p)
{
    pthread_mutex_lock(&list_lock);
    struct node *mine = node;
    pthread_mutex_unlock(&list_lock);
    if (mine) {
        pthread_mutex_lock(&mine->m);
        pthread_mutex_unlock(&mine->m);
    }
    return p;
}

int main(void)
{
    node = (struct node *)calloc(1, sizeof *node);
    CHECK(node);
    pthread_t t = start(user, NULL);
    pthread_mutex_lock(&list_lock);
    struct node *last = node;
    node = NULL;
    pthread_mutex_unlock(&list_lock);
    free(last);
    join(t);
    return ok();
}
