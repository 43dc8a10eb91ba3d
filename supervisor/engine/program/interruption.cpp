#include "supervisor/engine/program/interruption.h"

#include <unistd.h>

#include <atomic>
#include <csignal>
#include <cstdint>
#include <ctime>

namespace raddle {

namespace {

constexpr int handled[] = {SIGINT, SIGTERM, SIGHUP};
std::atomic<int> received{0};
static_assert(std::atomic<int>::is_always_lock_free);

std::atomic<std::int64_t> received_at{0};  // in milliseconds

std::int64_t milliseconds_now() {
    timespec now{};
    ::clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

// timeout(1) sends its signal to the command and to the process group, so it arrives twice.
constexpr std::int64_t one_request = 1000;

void note(int signal) {
    const std::int64_t now = milliseconds_now();
    int none = 0;
    if (received.compare_exchange_strong(none, signal))
        received_at = now;
    else if (now - received_at > one_request)
        ::_exit(128 + signal);
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
