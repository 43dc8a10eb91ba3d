#include "../two.h"
static struct {
    char left, right;
    short wide;
} pair;
static void* left(void* unused) {
    pair.left = 1;
    return unused;
}
static void* right(void* unused) {
    pair.right = 1;
    pair.wide = 2;
    return unused;
}
int main(void) {
    memset(&pair, 0, sizeof pair);
    run(left, right, 0);
    long all = 0;
    memcpy(&all, &pair, sizeof pair);
    return all == 0x20101 ? 0 : 1;
}
