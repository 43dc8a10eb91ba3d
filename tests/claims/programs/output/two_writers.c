// Two threads write a letter each, in one of many ways: where output is judged, both orders are explored.
// expect -- write: ok "the order in which threads write output was not explored"
// expect -- printf: ok "the order in which threads write output was not explored"
// expect -- two-files: ok without "the order in which"
// expect --output-order stdout -- write: ok without "the order in which"
// expect --fail-on stdout-differs -- write: output
// expect --fail-on stdout-differs -- printf: output
// expect --fail-on stderr=ba -- errors: output
// expect --fail-on stdout-differs -- two-files: ok without "the order in which"
// expect --outcomes -- write: outcomes "ok: ab" "ok: ba"
// expect --outcomes -- writev: outcomes "ok: ab" "ok: ba"
// expect --outcomes -- printf: outcomes "ok: ab" "ok: ba"
// expect --outcomes -- flush: outcomes "ok: ab" "ok: ba"
// expect --outcomes -- putchar: outcomes "ok: ab" "ok: ba"
// expect --outcomes -- unlocked: incomplete "__overflow"
// expect --outcomes -- wide: outcomes "ok: ab" "ok: ba"
// expect --outcomes -- syscall: outcomes "ok: ab" "ok: ba"
// expect --outcomes -- dup: outcomes "ok: ab" "ok: ba"
// expect --outcomes -- opened: outcomes "ok: ab" "ok: ba"
// expect --outcomes -- stream-of-dup: outcomes "ok: ab" "ok: ba"
// expect --outcomes -- one-file: outcomes "ok: ab" "ok: ba"
// expect --outcomes -- two-files: outcomes "ok: a"
// expect --outcomes -- pipe: outcomes "ok"
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>
#include <wchar.h>

static const char* way;
static int descriptors[2] = {1, 1};  // of the two threads
static FILE* stream;

static int is(const char* name) { return strcmp(way, name) == 0; }

static void say(const char* letter, int fd) {
    struct iovec piece = {(void*)letter, 1};
    if (is("writev"))
        writev(fd, &piece, 1);
    else if (is("printf"))
        printf("%s", letter);
    else if (is("flush"))
        printf("%s", letter), fflush(stdout);
    else if (is("putchar"))
        putchar(*letter);
    else if (is("unlocked"))
        (putchar_unlocked)(*letter);
    else if (is("wide"))
        fputwc((wchar_t)*letter, stdout);
    else if (is("syscall"))
        syscall(SYS_write, fd, letter, 1L);
    else if (is("stream-of-dup"))
        fputs(letter, fd == 1 ? stdout : stream), fflush(fd == 1 ? stdout : stream);
    else
        write(fd, letter, 1);
}

static void* first(void* unused) {
    say("a", descriptors[0]);
    return unused;
}

static void* second(void* unused) {
    say("b", descriptors[1]);
    return unused;
}

int main(int count, char** words) {
    pthread_t threads[2];
    int ends[2];
    way = count > 1 ? words[1] : "write";
    if (is("dup") || is("stream-of-dup")) descriptors[1] = dup(1);
    if (is("stream-of-dup")) stream = fdopen(descriptors[1], "w");
    if (is("opened")) descriptors[1] = open("/dev/stdout", O_WRONLY);
    if (is("two-files")) descriptors[1] = 2;
    if (is("one-file")) descriptors[1] = dup2(1, 2);
    if (is("errors")) descriptors[0] = descriptors[1] = 2;
    if (is("pipe") && pipe(ends) == 0) dup2(ends[1], 1);  // no longer the output of the process
    pthread_create(&threads[0], 0, first, 0);
    pthread_create(&threads[1], 0, second, 0);
    for (int i = 0; i < 2; ++i) pthread_join(threads[i], 0);
    return 0;
}
