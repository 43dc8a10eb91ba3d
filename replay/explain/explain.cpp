#include <algorithm>
#include <map>
#include <numeric>

#include "replay/explain/arrows.h"
#include "replay/explain/explanation.h"
#include "replay/explain/failing.h"
#include "replay/explain/failure.h"
#include "replay/explain/values.h"
#include "replay/explain/wording.h"
#include "supervisor/model/interruption.h"

namespace raddle {

namespace {

constexpr std::size_t most_steps_shown = 60;
constexpr std::size_t last_steps = 2;  // per thread
constexpr unsigned lines_around = 3;

std::string kind_in_words(Verdict verdict) {
    switch (verdict) {
        case Verdict::exit_status: return "wrong exit status";
        case Verdict::uncontrolled: return "hang";
        default: return name_of(verdict);
    }
}

class Explainer {
public:
    explicit Explainer(const ExplainInput& input)
        : input_(input),
          evidence_(input.failing),
          execution_(evidence_.execution),
          history_(execution_, input.machine),
          blocked_(history_, evidence_) {}

    Explanation explain() {
        result_.verdict = execution_.verdict;
        result_.preemptions = history_.preemptions();
        result_.fewest_proven = input_.fewest_proven;
        result_.explored = input_.explored;
        result_.again = input_.again;
        result_.all_steps = execution_.events.size();
        result_.taken = taken(evidence_);
        say_what_happened();
        say_what_decides();
        list_threads();
        choose_steps();
        draw_order();
        list_locks();
        for (TitledStack& titled : result_.stacks) titled.snippet = snippet(own_frame(titled.stack));
        return std::move(result_);
    }

private:
    void matters(std::size_t event) { focus_.events.insert(event); }

    void say_what_happened() {
        Failure failure = failure_of(failing_);
        result_.sentence = kind_in_words(execution_.verdict) + ": " + failure.sentence;
        result_.message = failure.message.empty() ? failure.sentence : failure.message;
        result_.facts = std::move(failure.facts);
        result_.stacks = std::move(failure.stacks);
        focus_ = std::move(failure.focus);
        if (failure.last_act) set_end(*failure.last_act);
    }

    void set_end(const std::string& text) {
        ExplainedStep& end = result_.end.emplace();
        end.event = execution_.events.size();
        end.pending = true;
        end.thread = evidence_.fault.thread;
        end.text = text;
        show_location(end, evidence_.fault.stack);
    }

    // ---- the decisive switch

    std::optional<std::size_t> find(const StepName& name) const {
        std::uint32_t number = 0;
        for (std::size_t i = 0; i < execution_.events.size(); ++i)
            if (execution_.events[i].thread == name.thread && ++number == name.number) return i;
        return std::nullopt;
    }

    // Writes "it" for the object that was named before.
    std::string step_text(const StepName& name, const Action* before = nullptr) const {
        const auto event = find(name);
        const Stack& stack = event ? failing_.stack_of(*event) : failing_.pending_stack(name.thread);
        const bool timed_out = event && execution_.events[*event].effect == Effect::timed_out;
        std::string text = text_of_action(name.action, timed_out ? Effect::timed_out : Effect::done, evidence_);
        if (before != nullptr && before->object == name.action.object && names_object(name.action.operation)) {
            const std::string object = text_of_object(name.action, false, evidence_);
            const std::size_t at = text.find(object);
            if (at != std::string::npos && object == text_of_object(*before, false, evidence_))
                text.replace(at, object.size(), "it");
        }
        return name_of(name.thread) + " " + text + at_location(stack);
    }

    void say_what_decides() {
        if (!input_.nearest) return;
        const NearestPassing& nearest = *input_.nearest;
        Evidence passing = input_.passing;
        passing.execution = nearest.execution;
        // What it freed before its end has no name there.
        for (const auto& [object, origin] : evidence_.origins) passing.origins.try_emplace(object, origin);
        result_.passing = taken(passing);
        result_.shared = nearest.shared;
        mark(result_.taken, nearest);
        mark(result_.passing, nearest);
        result_.decisive = "passes if " + step_text(nearest.second) + " before " +
                           step_text(nearest.first, &nearest.second.action) + "; here " +
                           name_of(nearest.first.thread) + " came first";
        for (const StepName* name : {&nearest.first, &nearest.second}) {
            const auto event = find(*name);
            if (event && result_.end && execution_.events[*event].action.operation == Operation::process_crash) {
                result_.end->decisive = true;
            } else if (event) {
                matters(*event);
                focus_.decisive.insert(*event);
            }
            focus_.objects.insert(name->action.object);
        }
    }

    // Marks the two steps with the decisive order in a list of all steps.
    static void mark(std::vector<TakenStep>& steps, const NearestPassing& nearest) {
        std::map<ThreadId, std::uint32_t> numbers;
        for (TakenStep& step : steps) {
            const std::uint32_t number = ++numbers[step.thread];
            for (const StepName* name : {&nearest.first, &nearest.second})
                step.decisive = step.decisive || (name->thread == step.thread && name->number == number);
        }
    }

    // ---- threads and steps

    static std::vector<TakenStep> taken(const Evidence& evidence) {
        std::vector<TakenStep> steps;
        steps.reserve(evidence.execution.events.size());
        const KnownValues values(evidence.execution);
        for (const Event& event : evidence.execution.events) {
            const std::size_t at = steps.size();
            std::string text = text_of_event(event, evidence);
            if (event.misuse != Misuse::none) text += " (misuse)";
            const bool has_location =
                at < evidence.stacks.size() && has_own_location(event.action.operation, evidence.stacks[at]);
            std::string value = values.after(event);
            std::string variable = value.empty() ? "" : text_of_data(event.action, evidence);
            steps.push_back({event.thread, std::move(text), has_location ? location_of(evidence.stacks[at]) : "", false,
                             std::move(variable), std::move(value)});
        }
        return steps;
    }

    void list_threads() {
        std::map<ThreadId, std::size_t> steps;
        for (const Event& event : execution_.events) ++steps[event.thread];
        for (const Pending& pending : execution_.pending) steps[pending.thread];
        for (const auto& [thread, count] : steps) result_.threads.push_back({thread, entry_of(thread), count});
    }

    // The outermost function of the program itself.
    std::string entry_of(ThreadId thread) const {
        const auto outermost = [](const Stack& stack) {
            for (auto frame = stack.rbegin(); frame != stack.rend(); ++frame)
                if (frame->module.find(".so") == std::string::npos && !frame->function.empty() &&
                    !frame->file.starts_with("/usr/"))
                    return frame->function;
            return std::string();
        };
        for (std::size_t i = 0; i < execution_.events.size(); ++i)
            if (execution_.events[i].thread == thread &&
                execution_.events[i].action.operation != Operation::thread_start)
                if (const std::string function = outermost(failing_.stack_of(i)); !function.empty()) return function;
        if (failing_.is_timer(thread)) return "(a timer)";
        return thread == main_thread ? "main" : outermost(starts(thread) ? Stack{} : failing_.pending_stack(thread));
    }
    bool starts(ThreadId thread) const {
        for (const Pending& pending : execution_.pending)
            if (pending.thread == thread) return pending.action.operation == Operation::thread_start;
        return false;
    }

    static bool is_about_threads(Operation operation) {
        const OperationTraits& what = traits(operation);
        return what.ends == Wait::creation || what.waits == Wait::thread_end || operation == Operation::fail;
    }

    // Other threads go on after the end of the process, for the search only. A crash has an entry of its own.
    std::size_t steps_before_the_end() const {
        const Verdict verdict = execution_.verdict;
        if (verdict != Verdict::crash && verdict != Verdict::assertion && verdict != Verdict::exit_status)
            return execution_.events.size();
        std::size_t end = 0;
        while (end < execution_.events.size() && traits(execution_.events[end].action.operation).kind != Kind::process)
            ++end;
        const bool is_shown = end < execution_.events.size() && !result_.end;
        return end + (is_shown ? 1 : 0);
    }

    void choose_steps() {
        const Events& events = execution_.events;
        std::map<ThreadId, std::size_t> from_end;
        result_.steps_to_end = steps_before_the_end();
        for (std::size_t i = result_.steps_to_end; i-- > 0;) {
            const Event& event = events[i];
            const bool last = event.action.operation != Operation::thread_exit && from_end[event.thread]++ < last_steps;
            const bool of_object =
                focus_.objects.contains(event.action.object) || focus_.objects.contains(event.action.second);
            const bool cut_short =
                event.effect == Effect::cancelled || event.effect == Effect::timed_out || is_signal(event.action);
            if (last || of_object || cut_short || is_about_threads(event.action.operation) || history_.preempts(i))
                matters(i);
            if (history_.preempts(i) && i > 0) matters(i - 1);
        }
        // The latest steps matter most; steps chosen for a reason stay.
        while (focus_.events.size() > most_steps_shown) focus_.events.erase(focus_.events.begin());
        for (const std::size_t i : focus_.events)
            add_step(i, events[i].thread, result_.taken[i].text, failing_.stack_of(i), false);
        for (const Pending& pending : execution_.pending)
            if (execution_.verdict == Verdict::deadlock || execution_.verdict == Verdict::livelock)
                add_step(events.size(), pending.thread, blocked_.waiting_text(pending),
                         failing_.pending_stack(pending.thread), true);
    }

    void add_step(std::size_t event, ThreadId thread, std::string text, const Stack& stack, bool pending) {
        ExplainedStep& step = result_.steps.emplace_back();
        step.event = event;
        step.pending = pending;
        step.thread = thread;
        step.text = std::move(text);
        step.preempts = !pending && history_.preempts(event);
        step.decisive = !pending && focus_.decisive.contains(event);
        if (const BlockedThread* blocked = pending ? blocked_.find(thread) : nullptr) step.held_by = blocked->taken_by;
        if (pending || has_own_location(execution_.events[event].action.operation, stack)) show_location(step, stack);
    }

    void show_location(ExplainedStep& step, const Stack& stack) const {
        step.stack = stack;
        step.location = location_of(stack);
        step.snippet = snippet(own_frame(stack));
        if (step.snippet.lines.empty()) return;
        const std::string& line = step.snippet.lines[step.snippet.marked - step.snippet.first];
        step.source = line.substr(std::min(line.find_first_not_of(" \t"), line.size()));
    }

    Snippet snippet(const Frame* frame) const {
        if (frame == nullptr || !input_.source || frame->file.empty() || frame->line == 0) return {};
        Snippet around{frame->file, frame->line > lines_around ? frame->line - lines_around : 1, frame->line, {}};
        for (unsigned line = around.first; line <= frame->line + lines_around; ++line) {
            const std::optional<std::string> text = input_.source(frame->file, line);
            if (!text) break;
            around.lines.push_back(*text);
        }
        if (around.first + around.lines.size() <= frame->line)
            around.lines.clear();  // the file is not the one that was compiled
        return around;
    }

    // ---- order and locks

    void draw_order() {
        std::vector<Position> all(history_.track().size());
        std::iota(all.begin(), all.end(), Position{0});
        result_.orders = arrows_between(history_.track(), all);
        result_.shown_orders = arrows_between(history_.track(), {focus_.events.begin(), focus_.events.end()});
    }

    void list_locks() {
        for (const auto& [event, past] : history_.past_holds()) {
            const Action& taking = execution_.events[event].action;
            const std::string name = text_of_object(taking, !(taking.object == past.object), evidence_);
            result_.held.push_back({past.hold.thread, name, event, past.until, past.hold.shared});
        }
    }

    const ExplainInput& input_;
    const Evidence& evidence_;
    const Execution& execution_;
    const History history_;
    const Blocked blocked_;
    const Failing failing_{evidence_, history_, blocked_};
    Explanation result_;
    Focus focus_;
};

}  // namespace

Explanation explain(const ExplainInput& input) { return Explainer(input).explain(); }

}  // namespace raddle
