// N threads take a block for an inode, under one lock each; few of the threads conflict. 1 execution up to 13 threads,
// then 2, 4, 8, 16, 32.
#include <pthread.h>
#include <stdint.h>
#ifndef N
#define N 18
#endif
enum { inodes = 32, blocks = 26 };
static pthread_mutex_t inode_lock[inodes], block_lock[blocks];
static int inode[inodes], busy[blocks];
static void* allocate(void* argument) {
    const int i = (int)(intptr_t)argument % inodes;
    pthread_mutex_lock(&inode_lock[i]);
    if (inode[i] == 0) {
        int block = i * 2 % blocks;
        for (int found = 0; !found;) {
            pthread_mutex_lock(&block_lock[block]);
            if (!busy[block]) {
                busy[block] = 1;
                inode[i] = block + 1;
                found = 1;
            }
            pthread_mutex_unlock(&block_lock[block]);
            block = (block + 1) % blocks;
        }
    }
    pthread_mutex_unlock(&inode_lock[i]);
    return 0;
}
int main(void) {
    pthread_t threads[N];
    for (int i = 0; i < inodes; ++i) pthread_mutex_init(&inode_lock[i], 0);
    for (int i = 0; i < blocks; ++i) pthread_mutex_init(&block_lock[i], 0);
    for (intptr_t i = 0; i < N; ++i) pthread_create(&threads[i], 0, allocate, (void*)i);
    for (int i = 0; i < N; ++i) pthread_join(threads[i], 0);
    return 0;
}
