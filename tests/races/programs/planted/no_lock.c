#include "../two.h"
static int counter;
static void* count(void* unused) {
    counter++;  // race
    return unused;
}
int main(void) { return run(count, count, 0); }
