// A thread calls a function of libc whose accesses raddle does not know, beside main or alone.
// expect -- 0: incomplete "the memory that these functions of libc read and write was not looked at: tsearch"
// expect -- 1: incomplete "was not looked at: wordexp"
// expect -- 2: incomplete "was not looked at: fmemopen"
// expect -- 3: incomplete "was not looked at: setvbuf"
// expect -- 4: ok
// expect -- 5: incomplete "was not looked at: syscall"
#define _GNU_SOURCE
#include <pthread.h>
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <wordexp.h>

static int which;
static void* root;
static char buffer[256];
static FILE* stream;

static int compare(const void* one, const void* other) { return strcmp(one, other); }

static void* call(void* unused) {
    wordexp_t words;
    switch (which) {
        case 0: tsearch("key", &root, compare); break;
        case 1: wordexp("word", &words, WRDE_NOCMD); break;
        case 2:
        case 3: fputs("text", stream); break;
        case 5: syscall(SYS_getcwd, buffer, sizeof buffer); break;
    }
    return unused;
}

int main(int count, char** arguments) {
    which = count > 1 ? atoi(arguments[1]) : 0;
    if (which == 2) stream = fmemopen(buffer, sizeof buffer, "w");
    if (which == 3) setvbuf(stream = stderr, buffer, _IOFBF, sizeof buffer);
    if (which == 4) tsearch("key", &root, compare);  // no other thread yet
    pthread_t thread;
    pthread_create(&thread, 0, call, 0);
    pthread_join(thread, 0);
    if (which == 4) tsearch("other", &root, compare);  // no other thread any more
    return 0;
}
