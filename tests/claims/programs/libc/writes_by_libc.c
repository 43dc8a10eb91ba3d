// A thread lets a function of libc write a shared buffer, and main reads it meanwhile.
// build: -lm
// modes: default races kernel tsan
// expect -- 0: exit_status
// expect -- 1: exit_status
// expect -- 2: exit_status
// expect -- 3: exit_status
// expect -- 4: exit_status
// expect -- 5: exit_status
// expect -- 6: exit_status
// expect -- 7: exit_status
// expect -- 8: exit_status
// expect -- 9: exit_status
// expect -- 10: exit_status
// expect -- 11: exit_status
// expect -- 12: exit_status
// expect -- 13: exit_status
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
#include <wchar.h>

static union {
    char text[256];
    wchar_t wide[16];
    int number;
} shared;
static double fraction;
static int which, ends[2];

static int before(const void* one, const void* other) { return *(const char*)one - *(const char*)other; }

static void* write_shared(void* unused) {
    struct tm time = {.tm_year = 70, .tm_mon = 1, .tm_mday = 2};
    switch (which) {
        case 0: sscanf("hello", "%s", shared.text); break;
        case 1: swab("ehll", shared.text, 4); break;
        case 2: wmemset(shared.wide, L'h', 4); break;
        case 3: strftime(shared.text, sizeof shared.text, "h%Y", &time); break;
        case 4: wcscpy(shared.wide, L"hello"); break;
        case 5: mbstowcs(shared.wide, "hello", 8); break;
        case 6: inet_ntop(AF_INET, "\x7f\0\0\1", shared.text, sizeof shared.text); break;
        case 7: qsort(shared.text, 4, 1, before); break;
        case 8: fraction = frexp(5.0, &shared.number); break;
        case 9: inet_pton(AF_INET, "104.1.1.1", shared.text); break;
        case 10: syscall(SYS_read, ends[0], shared.text, 5L); break;
        case 11: swprintf(shared.wide, 16, L"h%d", 1); break;
        case 12: stpncpy(shared.text, "hello", 8); break;
        case 13: sscanf("12 7", "%*d %d", &shared.number); break;
    }
    return unused;
}

int main(int count, char** arguments) {
    which = count > 1 ? atoi(arguments[1]) : 0;
    if (pipe(ends) != 0 || write(ends[1], "hello", 5) != 5) return 1;
    if (which == 7) strcpy(shared.text + 1, "cba");
    if (which == 7) shared.text[0] = 'd';
    const char first = shared.text[0];
    pthread_t thread;
    pthread_create(&thread, 0, write_shared, 0);
    if (shared.text[0] != first) _exit(7);
    pthread_join(thread, 0);
    return 0;
}
