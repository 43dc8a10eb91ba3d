/* bug: a node is put in a list twice, so the list becomes a circle and main walks it forever; preemptions: 1 */
/* Main spins without any call, so only a watchdog outside the process can notice it. */
#include <pthread.h>
#include <stdio.h>

struct node {
    struct node* next;
    int is_listed;
};

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static struct node* list;
static struct node shared;

static int is_listed(const struct node* node) {
    pthread_mutex_lock(&m);
    const int answer = node->is_listed;
    pthread_mutex_unlock(&m);
    return answer;
}

static void* put_in(void* arg) {
    struct node* const node = arg;
    if (is_listed(node)) return NULL;
    pthread_mutex_lock(&m);
    node->next = list;
    list = node;
    node->is_listed = 1;
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
