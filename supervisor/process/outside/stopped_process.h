// A process of somebody else whose threads stand still while this object lives (ptrace). Every wait here has an end: a
// thread that the kernel does not let go is reported as not stopped.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "supervisor/binary/debuginfo/frame_walk.h"

namespace raddle {

class StoppedProcess {
public:
    struct Thread {
        pid_t id = 0;
        bool stopped = false;
        std::string activity;  // before it was stopped: "runs", "is blocked in system call 202"
        Registers registers{};
        std::uint64_t control_block = 0;  // the base of fs
        int signal = 0;                   // it stopped at this signal, which it still has to get
        bool seized = false;
    };

    explicit StoppedProcess(pid_t process);
    ~StoppedProcess();
    StoppedProcess(const StoppedProcess&) = delete;
    StoppedProcess& operator=(const StoppedProcess&) = delete;

    pid_t id() const { return process_; }
    const std::vector<Thread>& threads() const { return threads_; }
    // Why threads are missing, in one line; empty: all could be stopped.
    const std::string& gap() const { return gap_; }

    // False unless all bytes could be read.
    bool read(std::uint64_t address, void* into, std::size_t bytes) const;
    template <typename Value>
    bool read(std::uint64_t address, Value& into) const {
        return read(address, &into, sizeof into);
    }
    // For walk_frames, by libunwind-ptrace.
    bool read_word(std::uint64_t address, std::uint64_t& word) const;
    // Lets the thread go on for a moment, and stops it again. False if it does not stop.
    bool let_run(std::size_t number);

private:
    using Clock = std::chrono::steady_clock;
    bool has_thread(pid_t id) const;
    bool seize(Thread& thread);
    bool wait_for_stop(Thread& thread, Clock::time_point until) const;
    static void read_registers(Thread& thread);

    pid_t process_;
    std::vector<Thread> threads_;
    std::string gap_;
    void* memory_ = nullptr;  // of libunwind-ptrace, for a thread that stands still
};

// The children of a process and their children, as the kernel knows them; at most `most`.
std::vector<pid_t> descendants_of(pid_t process, std::size_t most);

}  // namespace raddle
