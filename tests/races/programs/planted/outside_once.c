#include "../two.h"
static pthread_once_t once = PTHREAD_ONCE_INIT;
static int table;
static void fill(void) { table = 4; }
static void* use(void* unused) {
    pthread_once(&once, fill);
    table |= 8;  // race
    return unused;
}
int main(void) { return run(use, use, 0); }
