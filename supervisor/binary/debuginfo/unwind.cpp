#include "supervisor/binary/debuginfo/unwind.h"

#include <elfutils/libdwfl.h>

#include <cstring>

#include "supervisor/protocol/sanitizer_runtimes.h"

namespace raddle {

namespace {

constexpr std::size_t most_frames = 100;
constexpr pid_t nobody = 1;  // elfutils needs a process and thread id, but asks the callbacks for all data
constexpr int base_pointer = 6, stack_pointer = 7, instruction = 16;

}  // namespace

struct UnwinderCallbacks {
    static Unwinder& of(void* argument) { return *static_cast<Unwinder*>(argument); }

    static bool get_thread(Dwfl*, pid_t, void* argument, void** thread_argument) {
        *thread_argument = argument;
        return true;
    }
    static pid_t next_thread(Dwfl*, void*, void**) { return 0; }
    static bool memory_read(Dwfl*, Dwarf_Addr address, Dwarf_Word* result, void* argument) {
        const StackSnapshot& snapshot = *of(argument).current_;
        const std::uint64_t offset = address - snapshot.registers[stack_pointer];
        if (snapshot.memory.size() < sizeof *result || offset > snapshot.memory.size() - sizeof *result) return false;
        std::memcpy(result, snapshot.memory.data() + offset, sizeof *result);
        return true;
    }
    static bool set_initial_registers(Dwfl_Thread* thread, void* argument) {
        const StackSnapshot& snapshot = *of(argument).current_;
        std::array<Dwarf_Word, channel::register_count> words{};
        std::copy(snapshot.registers.begin(), snapshot.registers.end(), words.begin());
        if (!::dwfl_thread_state_registers(thread, 0, words.size(), words.data())) return false;
        ::dwfl_thread_state_register_pc(thread, words[instruction]);
        return true;
    }
    static int on_frame(Dwfl_Frame* frame, void* argument) {
        auto& callers = *static_cast<std::vector<Unwinder::Caller>*>(argument);
        Dwarf_Addr address = 0;
        bool is_active = false;
        Unwinder::Caller caller;
        const auto read = [&](int number, std::uint64_t& into) {
            Dwarf_Word value = 0;
            if (::dwfl_frame_reg(frame, static_cast<unsigned>(number), &value) == 0) into = value;
        };
        read(stack_pointer, caller.registers.stack);
        read(base_pointer, caller.registers.base);
        // The offsets of a frame count from the end of its caller's frame.
        if (!callers.empty()) callers.back().registers.frame = caller.registers.stack;
        if (!::dwfl_frame_pc(frame, &address, &is_active) || address == 0) return DWARF_CB_ABORT;
        // In a caller, name the call and not the instruction after it.
        caller.instruction = is_active ? address : address - 1;
        callers.push_back(caller);
        return callers.size() < most_frames ? DWARF_CB_OK : DWARF_CB_ABORT;
    }
};

static const Dwfl_Thread_Callbacks thread_callbacks = {
    UnwinderCallbacks::next_thread,
    UnwinderCallbacks::get_thread,
    UnwinderCallbacks::memory_read,
    UnwinderCallbacks::set_initial_registers,
    nullptr,
    nullptr,
};

std::vector<Unwinder::Caller> Unwinder::walk(const StackSnapshot& snapshot) {
    std::vector<Caller> callers;
    if (!attached_) {
        attached_ = true;
        usable_ = symbols_.dwfl() != nullptr &&
                  ::dwfl_attach_state(symbols_.dwfl(), nullptr, nobody, &thread_callbacks, this);
    }
    current_ = &snapshot;
    if (usable_) ::dwfl_getthread_frames(symbols_.dwfl(), nobody, UnwinderCallbacks::on_frame, &callers);
    if (callers.empty()) callers.push_back({snapshot.registers[instruction], {}});
    return callers;
}

Stack named_stack(Symbols& symbols, const std::vector<std::uint64_t>& instructions, const std::string& hidden) {
    Stack stack;
    for (const std::uint64_t address : instructions) {
        const Module* module = symbols.module_of(address);
        if (module == nullptr) {
            stack.push_back({"", "", 0, "?", address, false});
            continue;
        }
        if (module->path == hidden || is_sanitizer_runtime(module->path)) continue;
        const Stack& frames = symbols.at(address);
        stack.insert(stack.end(), frames.begin(), frames.end());
        // The callers of main are the same in every program.
        if (frames.back().function == "main") break;
    }
    return stack;
}

Stack Unwinder::stack_of(const StackSnapshot& snapshot) {
    std::vector<std::uint64_t> instructions;
    for (const Caller& caller : walk(snapshot)) instructions.push_back(caller.instruction);
    return named_stack(symbols_, instructions, hidden_);
}

std::optional<DataName> Unwinder::variable_at(const StackSnapshot& snapshot, std::uint64_t address) {
    if (symbols_.dwfl() == nullptr) return std::nullopt;
    for (const Caller& caller : walk(snapshot)) {
        // Frames are stacked upwards: the variable lies in the first frame that ends above it.
        if (caller.registers.frame <= address) continue;
        Dwfl_Module* module = ::dwfl_addrmodule(symbols_.dwfl(), caller.instruction);
        return module == nullptr ? std::nullopt
                                 : DataNames::in_frame(module, caller.instruction, caller.registers, address);
    }
    return std::nullopt;
}

}  // namespace raddle
