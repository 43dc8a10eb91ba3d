// A library that the program opens starts threads that lose an update; the program itself touches no memory.
// expect: exit_status
#include <dlfcn.h>
int main(void) {
    void* library = dlopen("libcounting.so", RTLD_NOW);
    if (library == 0) return 2;
    int (*count)(void);
    *(void**)&count = dlsym(library, "count_in_threads");
    const int result = count();
    dlclose(library);
    return result;
}
