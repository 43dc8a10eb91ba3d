#include "supervisor/engine/divergence/cause.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>
#include <set>

#include "replay/explain/wording.h"
#include "replay/schedule/step.h"
#include "supervisor/base/text.h"
#include "supervisor/binary/decode/nondeterministic_code.h"
#include "supervisor/model/site.h"
#include "supervisor/process/channel/read_stacks.h"
#include "supervisor/process/launch/launch.h"

namespace raddle {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t most_variables = 8;

enum class Strength { seldom, often };

struct Outside {
    Strength strength;
    const char* source;
};

// Null if raddle decides the function's result.
const Outside* outside(const std::string& function) {
    static const std::map<std::string, Outside> functions = {
#define RADDLE_OUTSIDE(name, strength, source) {#name, {Strength::strength, source}},
#include "supervisor/engine/divergence/outside_calls.def"
    };
    const auto known = functions.find(function);
    return known == functions.end() ? nullptr : &known->second;
}

// The thread of the n-th event (from 1); of the event to come if there are not so many.
std::optional<ThreadId> thread_at(const Execution& execution, const Schedule& schedule, std::size_t step) {
    if (step > 0 && step <= execution.events.size()) return execution.events[step - 1].thread;
    if (step > 0 && step <= schedule.size()) return schedule[step - 1].thread;
    return std::nullopt;
}

// One execution up to a step, with everything that names things.
class Look {
public:
    Look(const ProcessOptions& process, const Schedule& schedule, std::size_t steps)
        : process_(with_notes(process)), target_(process_) {
        execution_ = target_.run_held(plan_until(schedule, steps, process_), [](int, const auto&) {});
        calls_ = target_.calls();
        if (target_.stacks() != nullptr) stacks_ = read_stacks(*target_.stacks());
        const Modules& modules = target_.modules();
        symbols_.emplace(modules, find_executable(process_.argv.at(0)), process_.directory);
        unwinder_.emplace(*symbols_, process_.shim);
    }

    const std::vector<Call>& calls() const { return calls_; }
    Symbols& symbols() { return *symbols_; }

    DifferingWord named(const MemorySnapshot::Word& word) {
        DifferingWord result{"", word.mapping, word.address, word.first, word.then};
        if (symbols_->module_of(word.address) != nullptr) {
            const Symbols::Variable variable = symbols_->variable(word.address);
            if (!variable.symbol.empty())
                result.name = variable.symbol + (variable.offset == 0 ? "" : "+" + std::to_string(variable.offset));
        }
        if (result.name.empty()) name_on_stack(result);
        if (result.name.empty()) result.name = "the word at " + hexadecimal(word.address);
        return result;
    }

    std::string place_of(std::uint64_t site) {
        const std::uint64_t address = address_of(site);
        if (address == 0) return {};
        const Stack& stack = symbols_->at(address);
        const Frame* const frame = own_frame(stack);
        if (frame != nullptr) return text_of(*frame);
        return stack.empty() ? "" : location_of(stack.front());
    }
    std::string module_of(std::uint64_t site) {
        const Module* const module = symbols_->module_of(address_of(site));
        return module == nullptr ? "" : module->path.substr(module->path.rfind('/') + 1);
    }

    // Functions on the stack of the thread at its next action, outer ones included.
    std::set<std::string> functions_of(ThreadId thread) {
        std::set<std::string> functions;
        if (const TakenStack* const taken = last_of(thread))
            for (const Frame& frame : unwinder_->stack_of(taken->snapshot)) functions.insert(frame.function);
        functions.erase("");
        return functions;
    }

private:
    static ProcessOptions with_notes(ProcessOptions options) {
        options.take_stacks = true;
        options.note_calls = true;
        options.restore = Restore::never;
        if (options.shim.empty()) options.shim = default_shim();
        return options;
    }

    // A site is a return address: the call lies before it.
    std::uint64_t address_of(std::uint64_t site) const {
        const Modules& modules = target_.modules();
        if (!site_code::has_module(site) || site_code::module_of(site) >= modules.size()) return 0;
        return modules[site_code::module_of(site)].base + site_code::offset_of(site) - 1;
    }

    const TakenStack* last_of(ThreadId thread) const {
        const TakenStack* last = nullptr;
        for (const TakenStack& one : stacks_.stacks)
            if (one.thread == thread && (last == nullptr || one.number >= last->number)) last = &one;
        return last;
    }

    void name_on_stack(DifferingWord& word) {
        constexpr std::size_t stack_pointer = 7;  // in the order of DWARF
        std::set<ThreadId> seen;
        for (const TakenStack& one : stacks_.stacks) {
            const TakenStack* const last = last_of(one.thread);
            if (!seen.insert(one.thread).second || last == nullptr) continue;
            const std::uint64_t begin = last->snapshot.registers[stack_pointer];
            if (word.address < begin || word.address - begin >= last->snapshot.memory.size()) continue;
            const std::optional<DataName> variable = unwinder_->variable_at(last->snapshot, word.address);
            word.name = variable && !variable->name.empty()
                            ? variable->name + ", on the stack of " + name_of(one.thread)
                            : "a word on the stack of " + name_of(one.thread);
            word.mapping.clear();
            return;
        }
    }

    const ProcessOptions process_;
    ProcessTarget target_;
    Execution execution_;
    std::vector<Call> calls_;
    TakenStacks stacks_;
    std::optional<Symbols> symbols_;
    std::optional<Unwinder> unwinder_;
};

// The call that is the likely cause of words that came to differ after this step of the thread, and before its next.
// Between the two, or a little earlier: a result may stay in a register for some steps. The last one that often differs
// wins, otherwise the last one of the step itself or after it. Null: there is none.
const Call* outside_call(const std::vector<Call>& calls, ThreadId thread, std::size_t step, std::uint64_t site) {
    constexpr std::size_t most_earlier = 4;
    std::vector<const Call*> before, within;
    for (const Call& call : calls)
        if (call.thread == thread) (call.events < step ? before : within).push_back(&call);
    const auto last = [](const std::vector<const Call*>& among, std::size_t most, Strength least) -> const Call* {
        for (std::size_t i = 0; i < std::min(most, among.size()); ++i) {
            const Call* const call = among[among.size() - 1 - i];
            const Outside* const known = outside(call->function);
            if (known != nullptr && known->strength >= least) return call;
        }
        return nullptr;
    };
    if (const Call* const call = last(within, within.size(), Strength::often)) return call;
    if (const Call* const call = last(before, most_earlier, Strength::often)) return call;
    if (const Call* const call = last(within, within.size(), Strength::seldom)) return call;
    const Call* const own = last(before, 1, Strength::seldom);
    return own != nullptr && own->site == site ? own : nullptr;
}

std::string sentence(const Call& call, Look& look) {
    const std::string place = look.place_of(call.site), module = look.module_of(call.site);
    const bool is_instruction = call.function.starts_with("rdtsc");
    return name_of(call.thread) + (is_instruction ? " executed " + call.function : " called " + call.function + "()") +
           (place.empty() ? "" : " in " + place) + (module.empty() ? "" : ", " + module) +
           ": its result is decided by " + outside(call.function)->source;
}

// An instruction with a random result: in a function that is on that stack, otherwise anywhere in the program, which is
// said. Reads of the clock are noted like calls.
std::string random_instruction(Look& look, const ProcessOptions& process, ThreadId thread) {
    const std::string executable = fs::absolute(find_executable(process.argv.at(0))).string();
    std::vector<code::NondeterministicInstruction> all;
    try {
        all = code::nondeterministic_instructions(code::ElfCode(executable));
    } catch (const BadInput&) {
        return {};
    }
    std::erase_if(all, [](const auto& one) { return one.mnemonic.starts_with("rdtsc"); });
    if (all.empty()) return {};
    const std::set<std::string> functions = look.functions_of(thread);
    // Offsets in the file: a module of its own at address 0.
    Symbols symbols(std::vector<Module>{{executable, 0, ~std::uint64_t{0}}}, executable, process.directory);
    const auto is_on_stack = [&](const code::NondeterministicInstruction& one) {
        const Stack& stack = symbols.at(one.address);
        return std::any_of(stack.begin(), stack.end(),
                           [&](const Frame& frame) { return functions.contains(frame.function); });
    };
    const auto found = std::find_if(all.begin(), all.end(), is_on_stack);
    const code::NondeterministicInstruction& one = found == all.end() ? all.front() : *found;
    const Frame* const frame = own_frame(symbols.at(one.address));
    return (found == all.end() ? "no call in between, but the program has " : "") +
           ("the instruction " + one.mnemonic) + (frame == nullptr ? "" : " in " + text_of(*frame)) + ", " +
           fs::path(executable).filename().string() + ": its result differs each time";
}

std::vector<std::string> variables_asked_for(const std::vector<Call>& calls) {
    std::vector<std::string> names;
    for (const Call& call : calls)
        if (!call.variable.empty() && names.size() < most_variables &&
            std::find(names.begin(), names.end(), call.variable) == names.end())
            names.push_back(call.variable);
    return names;
}

std::string ending(const Execution& execution) {
    return "the end (" + std::string(execution.message.empty() ? text_of(execution.verdict) : execution.message) + ")";
}

}  // namespace

std::string text_of_step(RecordedStep step, Symbolizer& names) {
    if (const std::string object = names.of_object(step.object); !object.empty()) step.object = object;
    step.site = names.with_lines(step.site);
    return text_of(step);
}

DivergenceRecord record_of(const Repetitions& repetitions, Symbolizer& names) {
    DivergenceRecord record;
    record.across = repetitions.across;
    record.runs = repetitions.runs;
    record.differed = repetitions.differed;
    if (!repetitions.other) return record;
    record.step = repetitions.step;
    const auto side = [&](const Execution& execution) {
        if (record.step <= execution.events.size())
            return text_of_step(recorded(execution.events[record.step - 1], execution.modules.get()), names);
        return ending(execution);
    };
    record.first = side(repetitions.first);
    record.then = side(*repetitions.other);
    for (const Execution* execution : {&repetitions.first, &*repetitions.other}) {
        if (record.step > execution->events.size()) continue;
        const Event& event = execution->events[record.step - 1];
        const std::string site = text_of_site(event.action.site, execution->modules.get());
        record.thread = event.thread;
        record.place = names.with_lines(site);
        record.module = site.substr(0, site.find('+'));
        break;
    }
    return record;
}

std::vector<std::string> find_cause(DivergenceRecord& record, const MemoryDivergence& memory,
                                    const Repetitions& repetitions, const ProcessOptions& process,
                                    const Schedule& schedule) {
    const Events& events = repetitions.first.events;
    std::size_t after = memory.after_step;
    // The value was in a register: it came after the thread's last step before.
    if (!memory.has_words)
        for (after = record.step - 1; after > 0 && !(events[after - 1].thread == record.thread);) --after;
    Look look(process, schedule, memory.has_words ? after : record.step - 1);
    record.read_memory = memory.was_read;
    record.after_step = after;
    record.cause_thread = thread_at(repetitions.first, schedule, after).value_or(main_thread);
    record.word_count = memory.difference.count;
    for (const MemorySnapshot::Word& word : memory.difference.words) record.words.push_back(look.named(word));
    // Words with names tell most.
    std::stable_partition(record.words.begin(), record.words.end(), [](const DifferingWord& word) {
        return !word.name.starts_with("a word on ") && !word.name.starts_with("the word at ");
    });
    const std::uint64_t site = after > 0 ? events[after - 1].action.site : 0;
    if (const Call* const call = outside_call(look.calls(), record.cause_thread, after, site))
        record.cause = sentence(*call, look);
    else
        record.cause = random_instruction(look, process, record.cause_thread);
    return variables_asked_for(look.calls());
}

}  // namespace raddle
