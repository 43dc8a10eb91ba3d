// Each thread copies a word to the same address with memcpy: N! graphs.
#include <string.h>

#include "threads.h"
char from[16], to[16];  // not static: clang removes variables that are never read in the file
static volatile size_t bytes = 8;
static void* body(void* argument) {
    memcpy(to, from, bytes);
    return argument;
}
int main(int argc, char** argv) { return start(argc, argv, 0, body); }
