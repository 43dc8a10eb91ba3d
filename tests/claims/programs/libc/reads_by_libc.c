// A thread lets a function of libc read a shared text, and main changes the text meanwhile.
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
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <wchar.h>

static char text[16] = "a1";
static wchar_t wide[4] = L"a";
static int which;

static int sees_the_change(void) {
    char copy[32];
    int number = 0;
    switch (which) {
        case 0: return snprintf(copy, sizeof copy, "%s", text), copy[0] == '7';
        case 1: return strtod(text, 0) == 71;
        case 2: return sscanf(text, "%d", &number) == 1;
        case 3: return strcasecmp(text, "71") == 0;
        case 4: return strspn(text, "7") == 1;
        case 5: return wcslen(wide) == 2;
        case 6: return strstr(text, "71") != 0;
        case 7: return strcoll(text, "71") == 0;
        case 8: return snprintf(copy, sizeof copy, "%.*s", 1, text), copy[0] == '7';
    }
    return 0;
}

static void* look(void* unused) {
    if (sees_the_change()) _exit(7);
    return unused;
}

int main(int count, char** arguments) {
    which = count > 1 ? atoi(arguments[1]) : 0;
    pthread_t thread;
    pthread_create(&thread, 0, look, 0);
    text[0] = '7';
    wide[1] = L'b';
    pthread_join(thread, 0);
    return 0;
}
