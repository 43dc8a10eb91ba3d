#include "../two.h"
static pthread_once_t once = PTHREAD_ONCE_INIT;
static int* table;
static void fill(void) {
    table = malloc(sizeof *table);
    *table = 4;
}
static void* use(void* unused) {
    pthread_once(&once, fill);
    return *table == 4 ? unused : 0;
}
int main(void) {
    run(use, use, 0);
    free(table);
    return 0;
}
