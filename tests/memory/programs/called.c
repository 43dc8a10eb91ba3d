// Each thread runs the letters of its argument, one after another; the exit status encodes the values the threads saw.
// The first argument is "calls": functions read and write the variables themselves; or "plain": the same functions work
// on variables of their own, and plain code copies. Both have the same outcomes.
//   A a       locks and unlocks a mutex
//   1 2 3     reads and changes a variable
//   x y z     only reads it
//   r         pread to the first           s   sem_getvalue to the second       v   preadv to the first and third
//   j         pthread_join to the second   u   rand_r on the third              w   write from the first to a pipe
//   p         snprintf to the third        c   pthread_create to the first      m   pthread_sigmask reads the second
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static unsigned long one, two, three;
static int file, plain;
static sem_t semaphore;

struct part {
    const char* script;
    unsigned long number, seen;
    int pipe[2];
};

static void* give(void* argument) { return argument; }

static void call(struct part* part, char letter) {
    volatile unsigned long *first = &one, *second = &two, *third = &three;
    unsigned long own[3] = {0, 0, 0};
    unsigned long* of[3] = {plain ? &own[0] : &one, plain ? &own[1] : &two, plain ? &own[2] : &three};
    pthread_t thread;
    switch (letter) {
        case 'r':
            pread(file, of[0], 1, 1);
            if (plain) *(volatile unsigned char*)first = (unsigned char)own[0];
            break;
        case 's':
            sem_getvalue(&semaphore, (int*)of[1]);
            if (plain) *(volatile int*)second = (int)own[1];
            break;
        case 'v': {
            struct iovec pieces[2] = {{of[0], 1}, {of[2], 1}};
            preadv(file, pieces, 2, 2);
            if (plain) *(volatile unsigned char*)first = (unsigned char)own[0];
            if (plain) *(volatile unsigned char*)third = (unsigned char)own[2];
            break;
        }
        case 'j':
            pthread_create(&thread, 0, give, (void*)(part->number + 4));
            pthread_join(thread, (void**)of[1]);
            if (plain) *second = own[1];
            break;
        case 'c':
            pthread_create(of[0], 0, give, 0);
            if (plain) *first = own[0];
            part->seen = part->seen * 5 + (*first != 0);
            break;
        case 'u':
            if (plain) own[2] = (unsigned)*(volatile unsigned*)third;
            rand_r((unsigned*)of[2]);
            if (plain) *(volatile unsigned*)third = (unsigned)own[2];
            break;
        case 'w':
            if (plain) own[0] = *first;
            write(part->pipe[1], of[0], 8);
            read(part->pipe[0], &own[1], 8);
            part->seen = part->seen * 5 + own[1];
            break;
        case 'p':
            snprintf((char*)of[2], 2, "%lu", part->number);
            if (plain) *(volatile char*)third = (char)own[2];
            if (plain) ((volatile char*)third)[1] = 0;
            break;
        case 'm':
            if (plain) own[1] = *second;
            pthread_sigmask(SIG_SETMASK, (const sigset_t*)of[1], 0);
            sigset_t now;
            pthread_sigmask(SIG_SETMASK, 0, &now);
            memcpy(&own[0], &now, 8);
            part->seen = part->seen * 5 + own[0] % 5;
            break;
    }
}

static void* play(void* argument) {
    struct part* part = argument;
    for (const char* letter = part->script; *letter != 0; ++letter) {
        volatile unsigned long *first = &one, *second = &two, *third = &three;
        unsigned long* seen = &part->seen;
        switch (*letter) {
            case 'A': pthread_mutex_lock(&mutex); break;
            case 'a': pthread_mutex_unlock(&mutex); break;
            case '1': *seen = *seen * 5 + *first; *first = *first * 3 + part->number; break;
            case '2': *seen = *seen * 5 + *second; *second = *second * 3 + part->number; break;
            case '3': *seen = *seen * 5 + *third; *third = *third * 3 + part->number; break;
            case 'x': *seen = *seen * 5 + *first; break;
            case 'y': *seen = *seen * 5 + *second; break;
            case 'z': *seen = *seen * 5 + *third; break;
            default: call(part, *letter); break;
        }
    }
    return 0;
}

int main(int count, char** script) {
    enum { most = 4 };
    static struct part part[most];
    pthread_t thread[most];
    plain = strcmp(script[1], "plain") == 0;
    file = open(script[0], O_RDONLY);
    sem_init(&semaphore, 0, 3);
    for (int i = 0; i < most; ++i) pipe(part[i].pipe);
    int parts = count - 2;
    for (int i = 0; i < parts; ++i) {
        part[i].script = script[2 + i];
        part[i].number = (unsigned long)i + 1;
        if (i > 0) pthread_create(&thread[i], 0, play, &part[i]);
    }
    play(&part[0]);
    unsigned long seen = part[0].seen;
    for (int i = 1; i < parts; ++i) {
        pthread_join(thread[i], 0);
        seen = seen * 31 + part[i].seen;
    }
    return (int)((seen * 31 + (one > 1000000 ? 1 : one) + two * 7 + three * 13) % 251);
}
