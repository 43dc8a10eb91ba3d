#include "replay/explain/debugger_state.h"

#include <algorithm>

#include "replay/explain/explain_text.h"
#include "replay/explain/wording.h"

namespace raddle {

DebuggerState::DebuggerState(const Evidence& evidence, MachineOptions machine, std::optional<ThreadId> running)
    : evidence_(evidence), history_(evidence.execution, machine), blocked_(history_, evidence), running_(running) {}

// Null if the thread can continue.
const BlockedThread* DebuggerState::blocked(ThreadId thread) const {
    const Machine& machine = history_.machine();
    const ThreadSlot slot = machine.find_thread(thread);
    if (slot == no_slot || machine.thread(slot).life != Life::announced || machine.can_run(slot)) return nullptr;
    for (const BlockedThread& one : blocked_.threads())
        if (one.id == thread) return &one;
    return nullptr;
}

std::string DebuggerState::state_of(ThreadSlot slot) const {
    const ThreadRecord& thread = history_.machine().thread(slot);
    const std::string name = name_of(thread.id);
    const bool ended_process = traits(thread.pending.operation).kind == Kind::process;
    if (thread.life == Life::ended) return name + (ended_process ? " ended the process" : " has ended");
    if (running_ && thread.id == *running_) return name + " runs";
    if (const BlockedThread* waiting = blocked(thread.id)) return waiting->text;
    if (thread.life != Life::announced) return name + " runs";
    if (thread.pending.operation == Operation::thread_start) return name + " has not started yet";
    const auto stack = evidence_.pending.find(thread.id);
    return name + " can go on: " + text_of_action(thread.pending, Effect::done, evidence_) +
           (stack == evidence_.pending.end() ? "" : at_location(stack->second));
}

std::string DebuggerState::threads() const {
    std::string text;
    for (ThreadSlot slot = 0; slot < history_.machine().thread_count(); ++slot)
        if (history_.machine().thread(slot).life != Life::unborn) text += state_of(slot) + "\n";
    return text;
}

std::string DebuggerState::locks() const {
    const auto since = [&](std::size_t event) {
        return event < evidence_.stacks.size() ? at_location(evidence_.stacks[event]) : "";
    };
    std::string text;
    for (const auto& [object, holds] : history_.holds()) {
        if (holds.empty()) continue;
        const Action& taking = evidence_.execution.events[holds[0].event].action;
        text += text_of_object(taking, !(taking.object == object), evidence_) + "\n";
        for (const Hold& hold : holds)
            text += "  " + name_of(hold.thread) + " holds it" + (hold.shared ? " for reading" : "") + ", taken" +
                    since(hold.event) + "\n";
        for (const Pending& pending : evidence_.execution.pending) {
            const BlockedThread* thread = blocked(pending.thread);
            const bool wants =
                thread != nullptr && (pending.action.object == object || pending.action.second == object);
            const auto stack = evidence_.pending.find(pending.thread);
            if (wants)
                text += "  " + name_of(pending.thread) + " waits for it" +
                        (stack == evidence_.pending.end() ? "" : at_location(stack->second)) + "\n";
        }
    }
    return text.empty() ? "no lock is held\n" : text;
}

std::string DebuggerState::why() const {
    const Events& events = evidence_.execution.events;
    const bool misused =
        std::any_of(events.begin(), events.end(), [](const Event& event) { return event.misuse != Misuse::none; });
    if (is_bug(evidence_.execution.verdict) || misused) {
        ExplainInput input;
        input.failing = evidence_;
        if (!is_bug(evidence_.execution.verdict)) input.failing.execution.verdict = Verdict::misuse;
        input.machine = history_.machine().options();
        const Explanation explanation = explain(input);
        return explanation.sentence + "\n" + brief_text_of(explanation, "  ");
    }
    std::string text;
    for (const BlockedThread& thread : blocked_.threads()) {
        if (blocked(thread.id) == nullptr) continue;
        text += thread.text + "\n";
        for (const std::string& more : thread.more) text += "  " + more + "\n";
    }
    return text.empty() ? "nobody has to wait\n" : text;
}

std::string DebuggerState::step(std::size_t number) const {
    const Events& events = evidence_.execution.events;
    if (number == 0 || number > events.size()) return "";
    const Event& event = events[number - 1];
    const std::string misuse = event.misuse == Misuse::none ? "" : ": misuse, it " + text_of_misuse(event);
    const bool has_location = event.action.operation != Operation::thread_start && number <= evidence_.stacks.size();
    const std::string location = has_location ? location_of(evidence_.stacks[number - 1]) : "";
    return name_of(event.thread) + " " + text_of_event(event, evidence_) +
           (location.empty() ? "" : " (" + location + ")") + misuse;
}

}  // namespace raddle
