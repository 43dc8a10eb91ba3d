#include "supervisor/engine/program/interruption.h"

#include <unistd.h>

#include <atomic>
#include <csignal>

namespace raddle {

namespace {

constexpr int handled[] = {SIGINT, SIGTERM, SIGHUP};
std::atomic<int> received{0};
static_assert(std::atomic<int>::is_always_lock_free);

void note(int signal) {
    if (received.exchange(signal) != 0) ::_exit(128 + signal);
}

}  // namespace

Interruption::Interruption() {
    received = 0;
    struct sigaction action {};
    action.sa_handler = note;
    action.sa_flags = SA_RESTART;
    ::sigemptyset(&action.sa_mask);
    for (const int signal : handled) {
        struct sigaction before {};
        ::sigaction(signal, nullptr, &before);
        // nohup ignores SIGHUP on purpose. A shell ignores SIGINT for background jobs, but a user may send it.
        if (signal == SIGHUP && before.sa_handler == SIG_IGN) continue;
        ::sigaction(signal, &action, nullptr);
    }
}

Interruption::~Interruption() {
    for (const int signal : handled) {
        struct sigaction now {};
        ::sigaction(signal, nullptr, &now);
        if (now.sa_handler == note) ::signal(signal, SIG_DFL);
    }
}

int Interruption::signal() const { return received; }

}  // namespace raddle
