// The deque of Chase and Lev: the owner pushes N and pops N, one thief steals N.
#include "threads.h"
static atomic_int top, bot, buf[16], taken[MOST + 1];
static void push(int v) {
    const int b = bot;
    buf[b & 15] = v;
    bot = b + 1;
}
static int pop(void) {
    const int b = bot - 1;
    bot = b;
    int t = top;
    if (t > b) {
        bot = b + 1;
        return 0;
    }
    int v = buf[b & 15];
    if (t == b) {
        if (!atomic_compare_exchange_strong(&top, &t, t + 1)) v = 0;
        bot = b + 1;
    }
    return v;
}
static int steal(void) {
    int t = top;
    const int b = bot;
    if (t >= b) return 0;
    const int v = buf[t & 15];
    return atomic_compare_exchange_strong(&top, &t, t + 1) ? v : 0;
}
static void* body(void* argument) {
    const int owner = (intptr_t)argument == 0;
    const int n = size;
    if (owner)
        for (int i = 1; i <= n; ++i) push(i);
    for (int i = 0; i < n; ++i) {
        const int v = owner ? pop() : steal();
        if (v != 0) atomic_fetch_add(&taken[v], 1);
    }
    return 0;
}
int main(int argc, char** argv) {
    pthread_t threads[2];
    size = argc > 1 ? atoi(argv[1]) : 3;
    for (intptr_t i = 0; i < 2; ++i) pthread_create(&threads[i], 0, body, (void*)i);
    for (int i = 0; i < 2; ++i) pthread_join(threads[i], 0);
    return 0;
}
