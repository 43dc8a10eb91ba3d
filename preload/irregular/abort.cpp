// Abort and failed assertions end their thread; the others go on until none can, as with exit.
#include <csignal>
#include <cstdio>
#include <cstring>

#include "preload/describe.h"
#include "preload/raw.h"
#include "preload/real.h"
#include "preload/restart/restart.h"

extern "C" const char* __progname;

namespace raddle {

namespace {

struct Text {
    char bytes[channel::most_message];
    std::size_t length = 0;

    void add(const char* more) {
        while (*more != 0 && length + 2 < sizeof bytes) bytes[length++] = *more++;
        bytes[length] = 0;
    }
    void add(unsigned number) {
        char digits[12];
        std::size_t at = sizeof digits;
        digits[--at] = 0;
        do digits[--at] = static_cast<char>('0' + number % 10);
        while ((number /= 10) != 0);
        add(digits + at);
    }
};

[[noreturn]] void fail() {
    scheduler::current().leaving = true;
    if (recorded()) act(of(Operation::fail));  // does not come back
    restart::leave(134);
}

[[noreturn]] void fail_saying(const char* file, unsigned line, const char* function, const char* what, const char* condition) {
    Text text;
    text.add(file);
    text.add(":");
    text.add(line);
    text.add(": ");
    if (function != nullptr) {
        text.add(function);
        text.add(": ");
    }
    text.add(what);
    text.add(condition);
    if (recorded()) scheduler::set_message(text.bytes);
    raw::call(SYS_write, 2, __progname, std::strlen(__progname));
    raw::call(SYS_write, 2, ": ", 2L);
    text.bytes[text.length++] = '\n';
    raw::call(SYS_write, 2, text.bytes, text.length);
    irregular::abort();
}

}  // namespace

namespace irregular {

void abort() {
    // A handler of the program's own comes first, and may not come back.
    struct sigaction action;
    if (irregular::sigaction(SIGABRT, nullptr, &action) == 0 && action.sa_handler != SIG_DFL && action.sa_handler != SIG_IGN)
        irregular::raise(SIGABRT);
    if (recorded()) scheduler::set_message("abort was called");
    fail();
}

void __assert_fail(const char* condition, const char* file, unsigned line, const char* function) {
    fail_saying(file, line, function, "assertion failed: ", condition);
}

void __assert_perror_fail(int error, const char* file, unsigned line, const char* function) {
    fail_saying(file, line, function, "unexpected error: ", strerrordesc_np(error));
}

void __assert(const char* condition, const char* file, int line) {
    fail_saying(file, static_cast<unsigned>(line), nullptr, "assertion failed: ", condition);
}

}  // namespace irregular

}  // namespace raddle
