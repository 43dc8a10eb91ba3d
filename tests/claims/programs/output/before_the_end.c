// A thread writes while another one ends the process: the end cuts off what has not been written.
// expect --outcomes -- write exit: outcomes "ok" "ok: a" "ok: ab"
// expect --outcomes -- write _exit: outcomes "ok" "ok: a" "ok: ab"
// expect --outcomes -- print exit: outcomes "ok" "ok: a" "ok: ab"
// expect --outcomes -- print _exit: outcomes "ok"
// expect --outcomes -- flush _exit: outcomes "ok" "ok: a" "ok: ab"
// expect --outcomes -- write abort: outcomes "assertion" "assertion: a" "assertion: ab"
// expect --outcomes -- write crash: outcomes "crash" "crash: a" "crash: ab"
// expect --outcomes -- write both: outcomes "ok" "ok: a" "ok: ab" "crash: ab"
// expect --outcomes -- write handler: outcomes "ok: h" "ok: ha" "ok: hab" "ok: ah" "ok: ahb" "ok: abh"
// expect --outcomes -- print handler: outcomes "ok: h" "ok: ha" "ok: hab" "ok: ah" "ok: ahb" "ok: abh"
// expect -- write exit: ok "the order in which threads write output was not explored"
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *way, *end;
static int* volatile nowhere;

static void say(const char* letter) {
    if (strcmp(way, "write") == 0)
        write(1, letter, 1);
    else
        printf("%s", letter);
    if (strcmp(way, "flush") == 0) fflush(stdout);
}

static void* says(void* unused) {
    say("a");
    say("b");
    if (strcmp(end, "both") == 0) *nowhere = 1;
    return unused;
}

static void says_goodbye(void) { say("h"); }

int main(int count, char** words) {
    pthread_t thread;
    way = count > 1 ? words[1] : "write";
    end = count > 2 ? words[2] : "exit";
    if (strcmp(end, "handler") == 0) atexit(says_goodbye);
    pthread_create(&thread, 0, says, 0);
    if (strcmp(end, "_exit") == 0) _exit(0);
    if (strcmp(end, "abort") == 0) abort();
    if (strcmp(end, "crash") == 0) *nowhere = 1;
    return 0;
}
