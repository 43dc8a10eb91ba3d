// abort() and failed assertions end the process. The other threads go on until none can, as with exit().
#include <csignal>
#include <cstdio>
#include <cstring>

#include "preload/base/raw.h"
#include "preload/base/text.h"
#include "preload/hooks/files/output.h"
#include "preload/hooks/signals/crash.h"
#include "preload/intercept/describe.h"
#include "preload/intercept/real.h"

extern "C" const char* __progname;

namespace raddle {

void fail() {
    scheduler::current().leaving = true;
    crash::end_process(of(Operation::fail), SIGABRT);
}

namespace {

[[noreturn]] void fail_saying(const char* file, unsigned line, const char* function, const char* what,
                              const char* condition) {
    Text<channel::most_message - 1> text;
    text.add(file).add(":").add(line).add(": ");
    if (function != nullptr) text.add(function).add(": ");
    text.add(what).add(condition);
    scheduler::current().last_words = text.bytes;
    output::announce(2);
    raw::call(SYS_write, 2, __progname, std::strlen(__progname));
    raw::call(SYS_write, 2, ": ", 2L);
    raw::call(SYS_write, 2, text.bytes, text.length);
    raw::call(SYS_write, 2, "\n", 1L);
    hooks::abort();
}

}  // namespace

namespace hooks {

void abort() {
    // The program's handler for SIGABRT runs first, and may not return.
    struct sigaction action;
    if (hooks::sigaction(SIGABRT, nullptr, &action) == 0 && action.sa_handler != SIG_DFL &&
        action.sa_handler != SIG_IGN)
        hooks::raise(SIGABRT);
    Thread& me = scheduler::current();
    if (me.last_words == nullptr) me.last_words = "abort was called";
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

}  // namespace hooks

}  // namespace raddle
