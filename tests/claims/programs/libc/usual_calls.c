// Two threads call functions of libc that touch nothing in common: every schedule is explored.
// modes: default races kernel tsan
// build: -lm
// expect: ok
#define _GNU_SOURCE
#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include <wchar.h>

static int before(const void* one, const void* other) { return *(const int*)one - *(const int*)other; }

static void* call(void* argument) {
    char text[64], *end, *state;
    int numbers[] = {3, 1, 2}, exponent;
    wchar_t wide[8];
    struct tm parts;
    const time_t start = 0;
    unsigned seed = 1;
    double whole;
    snprintf(text, sizeof text, "%s %d %.1f", "text", 12, 1.5);
    if (sscanf(text, "%*s %d", &exponent) != 1 || exponent != 12) abort();
    if (strtol("12x", &end, 10) != 12 || *end != 'x' || strtod("1.5", 0) != 1.5) abort();
    if (strcmp(strtok_r(text, " ", &state), "text") != 0 || toupper('a') != 'A') abort();
    qsort(numbers, 3, sizeof *numbers, before);
    if (numbers[0] != 1 || numbers[2] != 3 || frexp(8, &exponent) != 0.5 || modf(2.5, &whole) != 0.5) abort();
    gmtime_r(&start, &parts);
    if (strftime(text, sizeof text, "%Y", &parts) != 4 || mbstowcs(wide, "ab", 8) != 2 || wcslen(wide) != 2) abort();
    if (sqrt(4) != 2 || rand_r(&seed) < 0 || getpid() == 0 || strerror(ENOENT) == 0 || labs(-1L) != 1) abort();
    char* const copied = strdup(text);
    if (strcasecmp(copied, "1970") != 0 || strspn(copied, "19") != 2 || strstr(copied, "97") != copied + 1) abort();
    free(copied);
    return argument;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, call, 0);
    call(0);
    pthread_join(thread, 0);
    return 0;
}
