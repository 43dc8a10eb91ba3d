// The threads meet in the memory of a library that the program opens itself, before or after its first thread.
// expect: assertion
// expect -- late: assertion
#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
static int (*take)(void);
static void* taker(void* mark) { return take() ? mark : NULL; }
static void* nothing(void* unused) { return unused; }
int main(int words, char** word) {
    (void)word;
    pthread_t threads[2];
    void* results[2];
    if (words > 1) {
        pthread_create(&threads[0], NULL, nothing, NULL);
        pthread_join(threads[0], NULL);
    }
    void* library = dlopen("libtake.so", RTLD_NOW);
    if (library == NULL) return 2;
    *(void**)&take = dlsym(library, "take");
    for (long i = 0; i < 2; ++i) pthread_create(&threads[i], NULL, taker, (void*)(i + 1));
    for (int i = 0; i < 2; ++i) pthread_join(threads[i], &results[i]);
    if (results[0] && results[1]) abort();
    dlclose(library);
    return 0;
}
