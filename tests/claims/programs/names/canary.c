// Stack canaries and encrypted pointers come from random bytes of the kernel; the same memory then holds other data.
// build: -O1 -fstack-protector-all
// expect: ok
#include <pthread.h>
#include <setjmp.h>
#include <string.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int done;
static char* shared_text;

static __attribute__((noinline)) void fill(char* text) {
    char copy[24];
    memset(copy, 'a', sizeof copy);
    memcpy(text, copy, sizeof copy);
}

static __attribute__((noinline)) void jump(void) {
    jmp_buf place;
    if (setjmp(place) == 0) longjmp(place, 1);
}

static void* body(void* text) {
    jump();
    fill(text);
    pthread_mutex_lock(&mutex);
    ++done;
    pthread_mutex_unlock(&mutex);
    return NULL;
}

static __attribute__((noinline)) int use_stack_again(void) {
    char text[2][24];
    pthread_t threads[2];
    shared_text = text[0];
    for (int i = 0; i < 2; ++i) pthread_create(&threads[i], NULL, body, text[i]);
    for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
    return text[0][0] == 'a' && text[1][23] == 'a' && shared_text == text[0];
}

int main(void) {
    jump();
    for (int i = 0; i < 2; ++i)
        if (!use_stack_again()) return 1;
    return done != 4;
}
