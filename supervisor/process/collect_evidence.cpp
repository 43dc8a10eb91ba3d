#include "supervisor/process/collect_evidence.h"

#include <algorithm>
#include <csignal>
#include <optional>
#include <unordered_map>

#include "supervisor/model/site.h"
#include "supervisor/process/channel/read_stacks.h"
#include "supervisor/process/launch/launch.h"
#include "supervisor/process/process_target.h"

namespace raddle {

// What the files of the program tell.
struct ProgramFiles {
    ProgramFiles(const Modules& loaded, const ProcessOptions& options)
        : modules(loaded),
          symbols(loaded, find_executable(options.argv.at(0)), options.directory),
          unwinder(symbols, options.shim) {}
    ProgramFiles(const ProgramFiles&) = delete;
    ProgramFiles& operator=(const ProgramFiles&) = delete;

    const Modules modules;
    Symbols symbols;
    Unwinder unwinder;
};

namespace {

class Gathering {
public:
    Gathering(const channel::StackArea& stacks, const channel::Crash& crash, ProgramFiles& files, Execution execution)
        : crash_(crash), symbols_(files.symbols), unwinder_(files.unwinder), taken_(read_stacks(stacks)) {
        evidence_.execution = std::move(execution);
    }

    Evidence evidence() {
        collect_stacks();
        gather_fault();
        Numbers numbers;
        for (const Event& event : evidence_.execution.events) {
            gather_origins(event.action, numbers);
            ++numbers[event.thread.code];
        }
        for (const Pending& pending : evidence_.execution.pending) gather_origins(pending.action, numbers);
        return std::move(evidence_);
    }

private:
    using Numbers = std::unordered_map<std::uint64_t, std::uint32_t>;  // number of events of each thread so far

    // Finds the announcement of each event. Only the first part of a call announces something.
    void collect_stacks() {
        for (const TakenStack& stack : taken_.stacks) by_thread_[stack.thread.code].push_back(&stack);
        for (auto& [thread, stacks] : by_thread_)
            std::sort(stacks.begin(), stacks.end(),
                      [](const TakenStack* a, const TakenStack* b) { return a->number < b->number; });
        Numbers numbers;
        const auto stack_at = [&](ThreadId thread, std::uint32_t number, const Action& action) {
            // Older snapshots may be overwritten; the call site remains in any case.
            constexpr std::uint32_t most_parts = 3;
            const TakenStack* const last = last_before(thread.code, number);
            if (last != nullptr && number - last->number < most_parts)
                if (Stack stack = unwinder_.stack_of(last->snapshot); !stack.empty()) return stack;
            return site_of(action);
        };
        for (const Event& event : evidence_.execution.events)
            evidence_.stacks.push_back(stack_at(event.thread, ++numbers[event.thread.code], event.action));
        for (const Pending& pending : evidence_.execution.pending)
            evidence_.pending[pending.thread] =
                stack_at(pending.thread, numbers[pending.thread.code] + 1, pending.action);
    }

    // The latest snapshot up to this event of the thread; null if none.
    const TakenStack* last_before(std::uint64_t thread, std::uint32_t number) {
        const std::vector<const TakenStack*>& stacks = by_thread_[thread];
        const auto after =
            std::upper_bound(stacks.begin(), stacks.end(), number,
                             [](std::uint32_t value, const TakenStack* stack) { return value < stack->number; });
        return after == stacks.begin() ? nullptr : *(after - 1);
    }

    Stack site_of(const Action& action) {
        const Modules& modules = *evidence_.execution.modules;
        if (!site_code::has_module(action.site) || site_code::module_of(action.site) >= modules.size()) return {};
        return symbols_.at(modules[site_code::module_of(action.site)].base + site_code::offset_of(action.site) - 1);
    }

    void gather_origins(const Action& action, const Numbers& numbers) {
        gather_origin(action.object, numbers);
        gather_origin(action.second, numbers);
    }

    void gather_origin(const ObjectId& object, const Numbers& numbers) {
        if (evidence_.origins.contains(object)) return;
        if (object.space() == Space::module) {
            const Modules& modules = *evidence_.execution.modules;
            if (object.owner() >= modules.size()) return;
            const Symbols::Variable variable = symbols_.variable(modules[object.owner()].base + object.offset);
            evidence_.origins[object] = {variable.symbol, variable.offset, variable.module, false, {}};
        } else if (object.space() == Space::stack) {
            const auto number = numbers.find(object.owner());
            const TakenStack* const stack =
                last_before(object.owner(), (number == numbers.end() ? 0 : number->second) + 1);
            if (stack == nullptr || stack->snapshot.counted_from == 0) return;
            const auto variable = unwinder_.variable_at(stack->snapshot, stack->snapshot.counted_from - object.offset);
            if (variable) evidence_.origins[object] = {variable->name, variable->rest, "", false, {}};
        } else if (object.space() == Space::heap) {
            ObjectOrigin origin;
            for (const TakenNote& note : taken_.notes)
                if (note.begin.region == object.region && object.offset - note.begin.offset < note.bytes)
                    tell(note, object, origin);
            if (origin.in_block) evidence_.origins[object] = origin;
        }
    }

    void tell(const TakenNote& note, const ObjectId& object, ObjectOrigin& origin) {
        HeapBlock& block = origin.block;
        block.freed = note.is_free;
        if (note.is_free) {
            block.freed_by = note.thread;
            block.freed_at = unwinder_.stack_of(note.snapshot);
            return;
        }
        origin.in_block = true;
        origin.offset = object.offset - note.begin.offset;
        block.bytes = note.bytes;
        block.allocated_by = note.thread;
        block.allocated_at = unwinder_.stack_of(note.snapshot);
    }

    void gather_fault() {
        if (!taken_.crash) return;
        Fault& fault = evidence_.fault;
        fault.happened = true;
        fault.thread = taken_.crash->thread;
        fault.stack = unwinder_.stack_of(taken_.crash->snapshot);
        if (crash_.signal == SIGSEGV || crash_.signal == SIGBUS) fault.address = what_is(crash_);
    }

    std::string what_is(const channel::Crash& crash) {
        constexpr std::uint64_t poison = 0xdbdbdbdbdbdbdbdb;  // the pattern of freed memory
        const auto& registers = taken_.crash->snapshot.registers;
        const bool poisoned = std::any_of(registers.begin(), registers.end(),
                                          [](std::uint64_t value) { return value - poison + 4096 < 8192; });
        if (crash.in_stack_guard != 0) return "the guard below its stack, which is full";
        if (poisoned) return "an address that was read from freed memory (0xdbdbdbdb...)";
        if (crash.code == SI_KERNEL) return "an impossible address";
        if (crash.address == 0) return "null";
        if (crash.address < 65536) return "near null (" + std::to_string(crash.address) + " bytes above)";
        const Module* module = symbols_.module_of(crash.address);
        if (crash.signal == SIGBUS) return "memory beyond the end of a file";
        if (crash.code == SEGV_ACCERR)
            return module != nullptr ? "read-only memory of " + symbols_.variable(crash.address).module
                                     : "memory that must not be accessed this way";
        return "not mapped";
    }

    const channel::Crash crash_;
    Symbols& symbols_;
    Unwinder& unwinder_;
    TakenStacks taken_;
    std::unordered_map<std::uint64_t, std::vector<const TakenStack*>> by_thread_;  // oldest first
    Evidence evidence_;
};

}  // namespace

class EvidenceTarget::Implementation {
public:
    explicit Implementation(ProcessOptions options) : options_(std::move(options)), target_(options_) {}

    Evidence collect(const Plan& plan) {
        Execution execution = target_.run(plan);
        if (!files_ || files_->modules != *execution.modules) files_.emplace(*execution.modules, options_);
        return Gathering(*target_.stacks(), target_.crash(), *files_, std::move(execution)).evidence();
    }

private:
    const ProcessOptions options_;
    ProcessTarget target_;
    std::optional<ProgramFiles> files_;
};

namespace {

ProcessOptions taking_stacks(ProcessOptions options) {
    options.take_stacks = true;
    options.restore = Restore::never;  // one execution or two need no restore
    if (options.shim.empty()) options.shim = default_shim();
    return options;
}

}  // namespace

EvidenceTarget::EvidenceTarget(ProcessOptions options)
    : implementation_(std::make_unique<Implementation>(taking_stacks(std::move(options)))) {}
EvidenceTarget::~EvidenceTarget() = default;
Evidence EvidenceTarget::collect(const Plan& plan) { return implementation_->collect(plan); }

Evidence collect_evidence(ProcessOptions options, const Plan& plan) {
    return EvidenceTarget(std::move(options)).collect(plan);
}

Evidence evidence_of(const channel::StackArea& stacks, const channel::Crash& crash, const ProcessOptions& options,
                     Execution execution) {
    ProgramFiles files(*execution.modules, options);
    return Gathering(stacks, crash, files, std::move(execution)).evidence();
}

}  // namespace raddle
