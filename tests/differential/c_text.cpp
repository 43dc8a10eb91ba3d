// Writes programs as C.
#include "tests/differential/program.h"

#include <algorithm>

namespace raddle::differential {

namespace {

constexpr const char* texts[] = {
#define RADDLE_STATEMENT(name, text) text,
#include "tests/differential/statement.def"
};

// Variables are reached through volatile pointers, so the compiler makes each access of the source one access.
const char* const head = R"(#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
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

static const struct timespec *soon(void)
{
    static _Thread_local struct timespec time;
    clock_gettime(CLOCK_REALTIME, &time);
    time.tv_sec += 1;
    return &time;
}

static void prepare(const int types[2], int first, int second, int count)
{
    for (int i = 0; i < 2; i++) {
        pthread_mutexattr_t attr;
        pthread_mutexattr_init(&attr);
        pthread_mutexattr_settype(&attr, types[i]);
        pthread_mutex_init(&m[i], &attr);
        pthread_cond_init(&c[i], NULL);
        pthread_rwlock_init(&l[i], NULL);
        pthread_spin_init(&s[i], 0);
        sem_init(&e[i], 0, i == 0 ? first : second);
    }
    pthread_barrier_init(&b, NULL, count);
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

std::string function_of(const Program& program, std::size_t thread, const std::string& prefix) {
    std::string text = "static void *" + prefix + "_" + std::to_string(thread) +
                       "(void *unused)\n{\n    unsigned r = 0;\n    (void)unused;\n";
    if (thread == 0) {
        text += std::string("    static const int types[2] = {") + name_of(program.mutex_types[0]) + ", " +
                name_of(program.mutex_types[1]) + "};\n    prepare(types, " + std::to_string(program.semaphores[0]) +
                ", " + std::to_string(program.semaphores[1]) + ", " + std::to_string(program.barrier_count) + ");\n";
        if (program.uses(Do::pipe_read) || program.uses(Do::pipe_write)) text += "    pipe(p);\n";
    }
    for (const Statement& statement : program.threads[thread]) text += line_of(statement, prefix);
    return text + "    return (void *)(unsigned long)r;\n}\n";
}

}  // namespace

bool Program::uses(Do what) const {
    return std::ranges::any_of(threads, [&](const auto& statements) {
        return std::ranges::any_of(statements, [&](const Statement& one) { return one.what == what; });
    });
}

std::size_t Program::size() const {
    std::size_t all = 0;
    for (const auto& statements : threads) all += statements.size();
    return all;
}

std::string c_text(const std::vector<Program>& programs) {
    std::string text = head, table;
    for (std::size_t i = 0; i < programs.size(); ++i) {
        const std::string prefix = "program" + std::to_string(i);
        text += "\n// seed " + std::to_string(programs[i].seed) + "\n";
        for (std::size_t thread = most_threads; thread-- > 0;) text += function_of(programs[i], thread, prefix);
        table += prefix + "_0, ";
    }
    return text + "\nint main(int count, char **words)\n{\n    void *(*const programs[])(void *) = {" + table +
           "};\n    programs[count > 1 ? atoi(words[1]) : 0](NULL);\n    return 0;\n}\n";
}

}  // namespace raddle::differential
