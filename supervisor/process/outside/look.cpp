#include "supervisor/process/outside/look.h"

#include <algorithm>
#include <cstring>
#include <optional>

#include "supervisor/binary/debuginfo/symbols.h"
#include "supervisor/binary/debuginfo/unwind.h"
#include "supervisor/process/outside/copied_code.h"
#include "supervisor/process/outside/mapped_files.h"
#include "supervisor/process/outside/stopped_process.h"

namespace raddle {

namespace {

constexpr std::size_t most_children = 16;

// A record of the shim's table of threads.
struct KnownThread {
    ThreadId id{};
    std::uint64_t control_block = 0, stack_pointer = 0;
};

// What raddle_switch_stacks (preload/threads/fibers.cpp) leaves on the stack of a fiber that does not run.
struct SavedRegisters {
    std::uint32_t mxcsr;
    std::uint16_t x87_control, unused;
    std::uint64_t r15, r14, r13, r12, rbx, rbp, rip;
};

template <typename Field>
Field field_of(const char* record, std::uint32_t offset) {
    Field value;
    std::memcpy(&value, record + offset, sizeof value);
    return value;
}

std::vector<KnownThread> known_threads(const StoppedProcess& process, const channel::ThreadTable& table) {
    constexpr std::uint32_t most_records = 4096, most_bytes = 4096;
    const std::uint32_t last_field = std::max({table.id_offset, table.control_block_offset, table.stack_pointer_offset,
                                               table.known_offset, table.ended_offset});
    if (table.records == 0 || table.count > most_records || table.record_bytes > most_bytes || table.record_bytes < 8 ||
        last_field > table.record_bytes - 8)
        return {};
    std::vector<char> records(std::size_t{table.count} * table.record_bytes);
    if (!process.read(table.records, records.data(), records.size())) return {};
    std::vector<KnownThread> threads;
    for (std::uint32_t i = 0; i < table.count; ++i) {
        const char* const record = records.data() + std::size_t{i} * table.record_bytes;
        if (record[table.known_offset] == 0 || record[table.ended_offset] != 0) continue;
        threads.push_back({field_of<ThreadId>(record, table.id_offset),
                           field_of<std::uint64_t>(record, table.control_block_offset),
                           field_of<std::uint64_t>(record, table.stack_pointer_offset)});
    }
    return threads;
}

class ProcessView {
public:
    // `child`: the number of the child process; 0: the program itself.
    ProcessView(const WhatToLookAt& what, pid_t process, std::size_t child, Standing& standing)
        : what_(what),
          whose_(child == 0 ? "" : "child process " + std::to_string(child)),
          standing_(standing),
          process_(process),
          files_(mapped_files_of(process_)),
          symbols_(files_.modules, what.executable, what.directory),
          copies_(process_, what.tables.copies),
          known_(known_threads(process_, what.tables.threads)) {}

    void describe() {
        for (std::size_t i = 0; i < process_.threads().size(); ++i) add_kernel_thread(i);
        // The tables are the program's own only if one of its threads is in them.
        if (any_thread_was_known_)
            for (const KnownThread& fiber : known_) add_fiber(fiber);
        if (!process_.gap().empty())
            standing_.gap +=
                (standing_.gap.empty() ? "" : "; ") + (whose_.empty() ? "" : whose_ + ": ") + process_.gap();
    }

private:
    void add_kernel_thread(std::size_t number) {
        const Stack stack = stack_of_kernel_thread(number);
        const StoppedProcess::Thread& thread = process_.threads()[number];
        StandingThread one;
        one.state = thread.activity;
        const auto known = std::find_if(known_.begin(), known_.end(), [&](const KnownThread& candidate) {
            return thread.stopped && candidate.control_block == thread.control_block;
        });
        if (known != known_.end()) {
            any_thread_was_known_ = true;
            one.name = name_of_known(*known);
            const Pending* const pending = pending_of(known->id);
            if (pending != nullptr && thread.activity != "runs") one.state = waits_in(*pending);
            known_.erase(known);
        } else if (whose_.empty()) {
            one.name = "a thread that raddle did not start";
        } else {
            one.name = number == 0 ? whose_ : "thread " + std::to_string(number + 1) + " of " + whose_;
        }
        one.stack = stack;
        standing_.threads.push_back(std::move(one));
    }

    // The shim makes system calls by a "syscall; ret" that it found in libc, below the red zone of its own frame
    // (preload/base/raw.h). No unwind table knows of that.
    Registers after_return(Registers registers) const {
        constexpr std::uint8_t syscall_and_return[] = {0x0f, 0x05, 0xc3};
        constexpr std::uint8_t above_red_zone[] = {0x48, 0x8d, 0xa4, 0x24, 0x80, 0x00, 0x00, 0x00};  // lea 128(%rsp)
        std::uint64_t caller = 0;
        if (!has_code(registers[16] - 2, syscall_and_return) || !process_.read(registers[7], caller)) return registers;
        registers[16] = caller;
        registers[7] += sizeof caller;
        if (has_code(caller, above_red_zone)) {
            registers[16] += sizeof above_red_zone;
            registers[7] += 128;
        }
        return registers;
    }

    template <std::size_t bytes>
    bool has_code(std::uint64_t address, const std::uint8_t (&code)[bytes]) const {
        std::uint8_t found[bytes];
        return process_.read(address, found) && std::memcmp(found, code, bytes) == 0;
    }

    // A thread that computes comes by the shim's checks again and again, and while it is in one, or on its way there,
    // its frames cannot be told. A tight loop is nearly always in one, so many moments are tried: most cost little.
    Stack stack_of_kernel_thread(std::size_t number) {
        constexpr int most_moments = 1000, most_walks = 50;
        WalkedFrames walked;
        for (int moments = 1, walks = 0;; ++moments) {
            const StoppedProcess::Thread& thread = process_.threads()[number];
            if (!thread.stopped) break;
            const bool may_go_on = thread.activity == "runs" && moments < most_moments && walks < most_walks;
            const bool is_inside = may_go_on && is_in_shim(thread);
            if (!is_inside) {
                ++walks;
                walked = walk(after_return(thread.registers));
            }
            const bool is_known = !is_inside && walked.to_the_end;
            if (!may_go_on || is_known || !process_.let_run(number)) break;
        }
        return named_stack(symbols_, walked.instructions, what_.hidden);
    }

    bool is_in_shim(const StoppedProcess::Thread& thread) const {
        const Module* const module = symbols_.module_of(thread.registers[16]);
        return module != nullptr && module->path == what_.hidden;
    }

    void add_fiber(const KnownThread& fiber) {
        SavedRegisters saved{};
        if (!process_.read(fiber.stack_pointer, saved)) return;
        Registers registers{};
        registers[3] = saved.rbx;
        registers[6] = saved.rbp;
        registers[7] = fiber.stack_pointer + sizeof saved;
        registers[12] = saved.r12;
        registers[13] = saved.r13;
        registers[14] = saved.r14;
        registers[15] = saved.r15;
        registers[16] = saved.rip;
        const Pending* const pending = pending_of(fiber.id);
        standing_.threads.push_back({name_of_known(fiber),
                                     pending != nullptr ? waits_in(*pending) : "waits for its turn",
                                     stack_of(registers)});
    }

    WalkedFrames walk(Registers registers) {
        registers[16] = copies_.original_of(registers[16]);
        return walk_frames(registers, files_.code, [this](std::uint64_t address, std::uint64_t& word) {
            if (!process_.read_word(address, word)) return false;
            word = copies_.original_of(word);
            return true;
        });
    }
    Stack stack_of(const Registers& registers) {
        return named_stack(symbols_, walk(registers).instructions, what_.hidden);
    }

    std::string name_of_known(const KnownThread& thread) const {
        return name_of(thread.id) + (whose_.empty() ? "" : " of " + whose_);
    }

    // Nobody reads the record of a child.
    const Pending* pending_of(ThreadId thread) const {
        if (!whose_.empty()) return nullptr;
        const auto found = std::find_if(what_.pending.begin(), what_.pending.end(),
                                        [&](const Pending& one) { return one.thread == thread; });
        return found == what_.pending.end() ? nullptr : &*found;
    }
    static std::string waits_in(const Pending& pending) {
        return std::string("waits in ") + name_of(pending.action.operation);
    }

    const WhatToLookAt& what_;
    const std::string whose_;
    Standing& standing_;
    StoppedProcess process_;
    MappedFiles files_;
    Symbols symbols_;
    CopiedCode copies_;
    std::vector<KnownThread> known_;  // those that were not described yet
    bool any_thread_was_known_ = false;
};

}  // namespace

Standing look_from_outside(const WhatToLookAt& what) {
    Standing standing;
    ProcessView(what, what.process, 0, standing).describe();
    const std::vector<pid_t> children = descendants_of(what.process, most_children + 1);
    for (std::size_t i = 0; i < std::min(children.size(), most_children); ++i)
        ProcessView(what, children[i], i + 1, standing).describe();
    if (children.size() > most_children)
        standing.gap += std::string(standing.gap.empty() ? "" : "; ") + "there are more than " +
                        std::to_string(most_children) + " child processes";
    return standing;
}

}  // namespace raddle
