// A program that executes itself keeps its process id, working directory and open files, and can start threads afterwards.
/* raddle: calls only */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void* body(void* argument) { return argument; }

int main(int count, char** values) {
    if (count == 1) {
        int ends[2];
        char number[20], end[20];
        assert(chdir("/") == 0 && pipe(ends) == 0 && write(ends[1], "x", 1) == 1);
        snprintf(number, sizeof number, "%d", (int)getpid());
        snprintf(end, sizeof end, "%d", ends[0]);
        execl("/proc/self/exe", values[0], number, end, (char*)NULL);
        abort();
    }
    char folder[100], byte = 0;
    assert(atoi(values[1]) == (int)getpid());
    assert(strcmp(getcwd(folder, sizeof folder), "/") == 0);
    assert(read(atoi(values[2]), &byte, 1) == 1 && byte == 'x');
    pthread_t thread;
    void* result = NULL;
    assert(pthread_create(&thread, NULL, body, &thread) == 0);
    assert(pthread_join(thread, &result) == 0 && result == &thread);
    return 0;
}
