/* ok: the test for membership and the insertion of a node are under one lock */
#include <pthread.h>
#include <stdio.h>

struct node {
    struct node* next;
    int is_listed;
};

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static struct node* list;
static struct node shared;

static void* put_in(void* arg) {
    struct node* const node = arg;
    pthread_mutex_lock(&m);
    if (!node->is_listed) {
        node->next = list;
        list = node;
        node->is_listed = 1;
    }
    pthread_mutex_unlock(&m);
    return NULL;
}

int main(void) {
    pthread_t thread[2];
    for (int i = 0; i < 2; ++i) pthread_create(&thread[i], NULL, put_in, &shared);
    for (int i = 0; i < 2; ++i) pthread_join(thread[i], NULL);
    int length = 0;
    for (const struct node* node = list; node != NULL; node = node->next) length = (length + 1) % 1000;
    printf("%d\n", length);
    return 0;
}
