// Writes programs as C.
#include "tests/differential/program.h"

#include <algorithm>

namespace raddle::differential {

namespace {

constexpr const char* texts[] = {
#define RADDLE_STATEMENT(name, group, text) text,
#include "tests/differential/statement.def"
};

// Variables are reached through volatile pointers, so the compiler makes each access of the source one access.
const char* const head = R"(#define _GNU_SOURCE
#include <errno.h>
#include <linux/futex.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static union { unsigned char bytes[12]; unsigned words[3]; unsigned short halves[6]; } memory;
static inline volatile unsigned *x0(void) { return &memory.words[0]; }
static inline volatile unsigned char *x1(void) { return &memory.bytes[4]; }
static inline volatile unsigned *x2(void) { return &memory.words[2]; }
static inline volatile unsigned short *x3(void) { return &memory.halves[4]; }
static inline int x0_exchanged(unsigned from, unsigned to)
{
    return __atomic_compare_exchange_n(x0(), &from, to, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
}
static inline int x1_exchanged(unsigned char from, unsigned char to)
{
    return __atomic_compare_exchange_n(x1(), &from, to, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
}
static inline int x2_exchanged(unsigned from, unsigned to)
{
    return __atomic_compare_exchange_n(x2(), &from, to, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
}
static inline int x3_exchanged(unsigned short from, unsigned short to)
{
    return __atomic_compare_exchange_n(x3(), &from, to, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
}

static pthread_t t[4];
static void *volatile ends[4];
static pthread_mutex_t m[2];
static pthread_cond_t c[2];
static pthread_rwlock_t l[2];
static pthread_spinlock_t s[2];
static pthread_barrier_t b;
static pthread_once_t o[2] = {PTHREAD_ONCE_INIT, PTHREAD_ONCE_INIT};
static sem_t e[2];
static int p[2];
static void *nowhere;

static void initialise0(void) { *x0() = *x0() + 1; }
static void initialise1(void) { *x1() = *x1() + 1; }

static void show(unsigned value)
{
    char digit = '0' + value % 10;
    write(1, &digit, 1);
}

// A digit for each result of a lock.
static unsigned short_of(int error)
{
    switch (error) {
        case 0: return 0;
        case EBUSY:
        case ETIMEDOUT: return 1;
        case EOWNERDEAD: return 2;
        case ENOTRECOVERABLE: return 3;
        case EDEADLK: return 4;
        default: return 5;
    }
}

static const struct timespec *soon(void)
{
    static _Thread_local struct timespec time;
    clock_gettime(CLOCK_REALTIME, &time);
    time.tv_sec += 1;
    return &time;
}

static const struct timespec second = {1, 0};
static unsigned wait_on(volatile unsigned *word, unsigned value, const struct timespec *time)
{
    if (syscall(SYS_futex, word, FUTEX_WAIT, value, time) == 0) return 0;
    return errno == EAGAIN ? 1 : errno == EINTR ? 2 : 3;
}

static const int signals[2] = {SIGUSR1, SIGUSR2};
static sigset_t set_of(unsigned bits)
{
    sigset_t set;
    sigemptyset(&set);
    for (int i = 0; i < 2; i++)
        if (bits & 1 << i) sigaddset(&set, signals[i]);
    return set;
}

static void set_handler(int which, void (*handler)(int), int flags)
{
    struct sigaction action = {.sa_handler = handler, .sa_flags = flags};
    sigaction(signals[which], &action, NULL);
}

static void change_mask(int how, unsigned bits)
{
    const sigset_t set = set_of(bits);
    pthread_sigmask(how, &set, NULL);
}

static unsigned wait_for(unsigned bits)
{
    const sigset_t set = set_of(bits);
    int got = 0;
    sigwait(&set, &got);
    return got == SIGUSR2;
}

static unsigned suspend(void)
{
    const sigset_t none = set_of(0);
    return sigsuspend(&none) != 0;
}

struct settings { int types[2], robust[2], prefers_writers[2], units[2], count; };

static void prepare(const struct settings *with)
{
    t[0] = pthread_self();
    for (int i = 0; i < 2; i++) {
        pthread_mutexattr_t attr;
        pthread_mutexattr_init(&attr);
        pthread_mutexattr_settype(&attr, with->types[i]);
        if (with->robust[i]) pthread_mutexattr_setrobust(&attr, PTHREAD_MUTEX_ROBUST);
        pthread_mutex_init(&m[i], &attr);
        pthread_cond_init(&c[i], NULL);
        pthread_rwlockattr_t kind;
        pthread_rwlockattr_init(&kind);
        if (with->prefers_writers[i])
            pthread_rwlockattr_setkind_np(&kind, PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP);
        pthread_rwlock_init(&l[i], &kind);
        pthread_spin_init(&s[i], 0);
        sem_init(&e[i], 0, with->units[i]);
    }
    pthread_barrier_init(&b, NULL, with->count);
}
)";

std::string replaced(std::string text, const std::string& mark, const std::string& by) {
    for (std::size_t at = 0; (at = text.find(mark, at)) != std::string::npos; at += by.size())
        text.replace(at, mark.size(), by);
    return text;
}

std::string line_of(const Statement& statement, const std::string& function) {
    std::string text = texts[static_cast<std::size_t>(statement.what)];
    text = replaced(text, "@o", std::to_string(statement.object));
    text = replaced(text, "@s", std::to_string(statement.second));
    text = replaced(text, "@v", std::to_string(statement.value));
    text = replaced(text, "@f", function);
    if (statement.guard.when != Guard::When::always)
        text = std::string("if (r ") + (statement.guard.when == Guard::When::equal ? "==" : "!=") + " " +
               std::to_string(statement.guard.value) + ") " + text;
    return "    " + text + "\n";
}

const char* name_of(MutexType type) {
    switch (type) {
        case MutexType::normal: return "PTHREAD_MUTEX_NORMAL";
        case MutexType::recursive: return "PTHREAD_MUTEX_RECURSIVE";
        case MutexType::errorcheck: return "PTHREAD_MUTEX_ERRORCHECK";
    }
    return "";
}

std::string lines_of(const std::vector<Statement>& statements, const std::string& prefix) {
    std::string text;
    for (const Statement& statement : statements) text += line_of(statement, prefix);
    return text;
}

std::string settings_of(const Program& program) {
    const auto pair = [](auto first, auto second) {
        return "{" + std::to_string(first) + ", " + std::to_string(second) + "}, ";
    };
    return std::string("{{") + name_of(program.mutex_types[0]) + ", " + name_of(program.mutex_types[1]) + "}, " +
           pair(program.robust[0], program.robust[1]) + pair(program.prefers_writers[0], program.prefers_writers[1]) +
           pair(program.semaphores[0], program.semaphores[1]) + std::to_string(program.barrier_count) + "}";
}

std::string function_of(const Program& program, std::size_t thread, const std::string& prefix) {
    std::string text = "static void *" + prefix + "_" + std::to_string(thread) +
                       "(void *unused)\n{\n    unsigned r = 0;\n    (void)unused;\n";
    if (thread == 0) {
        text += "    static const struct settings with = " + settings_of(program) + ";\n    prepare(&with);\n";
        if (program.uses(Do::pipe_read) || program.uses(Do::pipe_write)) text += "    pipe(p);\n";
    }
    return text + lines_of(program.threads[thread], prefix) + "    return (void *)(unsigned long)r;\n}\n";
}

std::string handlers_of(const Program& program, const std::string& prefix) {
    std::string text;
    for (std::size_t signal = 0; signal < program.handlers.size(); ++signal) {
        if (!program.uses(Do::set_handler)) continue;
        text += "static void " + prefix + "_handler" + std::to_string(signal) +
                "(int unused)\n{\n    const int error = errno;\n    unsigned r = 0;\n" +
                lines_of(program.handlers[signal], prefix) + "    errno = error;\n}\n";
    }
    return text;
}

}  // namespace

bool Program::uses(Do what) const {
    const auto contain = [&](const std::vector<Statement>& statements) {
        return std::ranges::any_of(statements, [&](const Statement& one) { return one.what == what; });
    };
    return std::ranges::any_of(threads, contain) || std::ranges::any_of(handlers, contain);
}

std::size_t Program::size() const {
    std::size_t all = 0;
    for (const auto& statements : threads) all += statements.size();
    for (const auto& statements : handlers) all += statements.size();
    return all;
}

std::string c_text(const std::vector<Program>& programs) {
    std::string text = head, table;
    for (std::size_t i = 0; i < programs.size(); ++i) {
        const std::string prefix = "program" + std::to_string(i);
        text += "\n// seed " + std::to_string(programs[i].seed) + "\n";
        text += handlers_of(programs[i], prefix);
        for (std::size_t thread = most_threads; thread-- > 0;) text += function_of(programs[i], thread, prefix);
        table += prefix + "_0, ";
    }
    return text + "\nint main(int count, char **words)\n{\n    void *(*const programs[])(void *) = {" + table +
           "};\n    programs[count > 1 ? atoi(words[1]) : 0](NULL);\n    return 0;\n}\n";
}

}  // namespace raddle::differential
