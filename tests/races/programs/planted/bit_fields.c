#include "../two.h"
struct {
    unsigned left : 4, right : 4;
} both;
static void* set_left(void* unused) {
    both.left = 3;  // race
    return unused;
}
static void* set_right(void* unused) {
    both.right = 5;  // race
    return unused;
}
int main(void) { return run(set_left, set_right, 0); }
