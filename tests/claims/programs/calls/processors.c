// All ways to ask for the number of processors agree: functions, system calls, /proc and /sys.
// expect: ok
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/sysinfo.h>
#include <unistd.h>

static int lines_with(const char* path, const char* word) {
    FILE* file = fopen(path, "r");
    char line[4096];
    int found = 0;
    while (fgets(line, sizeof line, file) != NULL) found += strncmp(line, word, strlen(word)) == 0;
    fclose(file);
    return found;
}

static int in_list(const char* path, const char* word) {
    FILE* file = fopen(path, "r");
    char line[4096];
    int from = 0, to = -1;
    while (fgets(line, sizeof line, file) != NULL)
        if (strncmp(line, word, strlen(word)) == 0 && sscanf(line + strlen(word), " %d-%d", &from, &to) == 1) to = from;
    fclose(file);
    return to - from + 1;
}

static void* nothing(void* unused) { return unused; }

int main(void) {
    cpu_set_t set;
    unsigned long words[16] = {0};
    assert(sched_getaffinity(0, sizeof set, &set) == 0);
    const int count = CPU_COUNT(&set);
    assert(syscall(SYS_sched_getaffinity, 0, sizeof words, words) > 0 && __builtin_popcountl(words[0]) == count);
    assert(sysconf(_SC_NPROCESSORS_ONLN) == count && sysconf(_SC_NPROCESSORS_CONF) == count);
    assert(get_nprocs() == count && get_nprocs_conf() == count);
    assert(lines_with("/proc/cpuinfo", "processor") == count);
    assert(lines_with("/proc/stat", "cpu") == count + 1);
    assert(in_list("/proc/self/status", "Cpus_allowed_list:") == count);
    assert(in_list("/sys/devices/system/cpu/online", "") == count);
    assert(in_list("/sys/devices/system/cpu/possible", "") == count);
    pthread_t thread;
    pthread_create(&thread, NULL, nothing, NULL);
    pthread_join(thread, NULL);
    return 0;
}
