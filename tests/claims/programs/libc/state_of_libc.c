// Two threads share state inside libc: a static structure, the position of strtok, random numbers, the environment.
// expect -- 0: exit_status
// expect -- 1: exit_status
// expect -- 2: exit_status
// expect -- 3: exit_status
#define _GNU_SOURCE
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static int which;

static void* use(void* unused) {
    static char words[] = "x y z";
    time_t later = 400L * 24 * 3600;
    switch (which) {
        case 0: gmtime(&later); break;
        case 1: strtok(words, " "); break;
        case 2: rand(); break;
        case 3: setenv("RADDLE_TEST_STATE", "2", 1); break;
    }
    return unused;
}

static int is_disturbed(void) {
    static char words[] = "a b c";
    time_t start = 0;
    switch (which) {
        case 0: {
            const struct tm* const parts = gmtime(&start);
            return parts->tm_year != 70;
        }
        case 1: {
            strtok(words, " ");
            const char* const second = strtok(0, " ");
            return second == 0 || second[0] != 'b';
        }
        case 2: {
            srand(1);
            const int first = rand();
            srand(1);
            return rand() != first;
        }
        case 3: return getenv("RADDLE_TEST_STATE") == 0;
    }
    return 0;
}

int main(int count, char** arguments) {
    which = count > 1 ? atoi(arguments[1]) : 0;
    pthread_t thread;
    pthread_create(&thread, 0, use, 0);
    const int disturbed = is_disturbed();
    pthread_join(thread, 0);
    return disturbed ? 7 : 0;
}
