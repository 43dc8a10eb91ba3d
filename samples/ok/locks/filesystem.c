/* ok: counts schedules: N threads take blocks for inodes, one lock each; few of the threads ever conflict */
/* filesystem [N = 14]: 1 happens-before graph up to 13 threads, then 2, 4, 8, 16, 32 for 14 to 18. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum { inodes = 32, blocks = 26 };

static pthread_mutex_t inode_lock[inodes] = {[0 ... inodes - 1] = PTHREAD_MUTEX_INITIALIZER};
static pthread_mutex_t block_lock[blocks] = {[0 ... blocks - 1] = PTHREAD_MUTEX_INITIALIZER};
static int inode[inodes];
static int busy[blocks];
static int number[blocks];

static void* allocate(void* arg) {
    const int i = *(int*)arg % inodes;
    pthread_mutex_lock(&inode_lock[i]);
    if (inode[i] == 0) {
        int b = i * 2 % blocks;
        for (;;) {
            pthread_mutex_lock(&block_lock[b]);
            if (!busy[b]) {
                busy[b] = 1;
                inode[i] = b + 1;
                pthread_mutex_unlock(&block_lock[b]);
                break;
            }
            pthread_mutex_unlock(&block_lock[b]);
            b = (b + 1) % blocks;
        }
    }
    pthread_mutex_unlock(&inode_lock[i]);
    return NULL;
}

int main(int argc, char** argv) {
    pthread_t thread[blocks];
    const int n = argc > 1 ? atoi(argv[1]) : 14;
    if (n < 1 || n > blocks) {
        fprintf(stderr, "usage: %s [threads, 1 to %d]\n", argv[0], blocks);
        return 2;
    }
    for (int i = 0; i < n; ++i) {
        number[i] = i;
        pthread_create(&thread[i], NULL, allocate, &number[i]);
    }
    for (int i = 0; i < n; ++i) pthread_join(thread[i], NULL);
    return 0;
}
