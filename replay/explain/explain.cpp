#include <algorithm>
#include <cctype>
#include <map>
#include <numeric>
#include <sstream>

#include "replay/explain/arrows.h"
#include "replay/explain/blocked.h"
#include "replay/explain/explanation.h"
#include "replay/explain/wording.h"
#include "supervisor/model/interruption.h"
#include "supervisor/model/tool_objects.h"
#include "supervisor/trace/data_races.h"
#include "supervisor/trace/modules.h"

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
    const Stack& stack_of(std::size_t event) const {
        static const Stack none;
        return event < evidence_.stacks.size() ? evidence_.stacks[event] : none;
    }
    const Stack& pending_stack(ThreadId thread) const {
        static const Stack none;
        const auto found = evidence_.pending.find(thread);
        return found == evidence_.pending.end() ? none : found->second;
    }
    void matters(std::size_t event) { chosen_.insert(event); }
    void concerns(const ObjectId& object) { objects_.insert(object); }

    // ---- the verdict

    void say_what_happened() {
        std::string sentence;
        switch (execution_.verdict) {
            case Verdict::deadlock:
            case Verdict::livelock: sentence = deadlock(); break;
            case Verdict::crash: sentence = crash(); break;
            case Verdict::assertion: sentence = assertion(); break;
            case Verdict::exit_status: sentence = wrong_status(); break;
            case Verdict::misuse: sentence = misuse(); break;
            case Verdict::race: sentence = race(); break;
            case Verdict::uncontrolled: sentence = hang(); break;
            default: sentence = execution_.message.empty() ? text_of(execution_.verdict) : execution_.message; break;
        }
        say_what_came_early();
        if (result_.message.empty()) result_.message = sentence;
        result_.sentence = kind_in_words(execution_.verdict) + ": " + sentence;
    }

    // The reader may know that no real delay is ever this long.
    void say_what_came_early() {
        constexpr std::size_t most = 3;
        constexpr std::uint64_t noticeable = 100'000'000;
        std::vector<History::EarlyEnd> longest = history_.early_ends();
        std::ranges::stable_sort(longest, std::ranges::greater{}, &History::EarlyEnd::wait);
        longest.resize(std::min(longest.size(), most));
        for (const auto& [event, wait] : longest) {
            matters(event);
            const ThreadId thread = execution_.events[event].thread;
            const std::string whose = is_timer(thread)
                                          ? " of " + name_of(thread) + ", a timer,"
                                          : " that " + name_of(thread) + " waits" + at_location(stack_of(event));
            result_.facts.push_back("the " + text_of_time(wait) + whose +
                                    " run out while others could go on, as if they were held up for so long" +
                                    (wait >= noticeable ? " (--patience leaves that out)" : ""));
        }
    }

    std::string deadlock() {
        for (const BlockedThread& thread : blocked_.threads()) {
            result_.facts.push_back(thread.text);
            for (const std::string& more : thread.more) result_.facts.push_back("  " + more);
            for (const std::size_t event : thread.events) matters(event);
            for (const ObjectId& object : thread.objects) concerns(object);
        }
        // Threads that only wait for the end of another thread tell least, so they come last.
        for (const bool is_cause : {true, false})
            for (const BlockedThread& thread : blocked_.threads())
                if (const Stack& stack = pending_stack(thread.id);
                    stack.size() > 1 && blocked_.is_cause(thread) == is_cause)
                    result_.stacks.push_back({name_of(thread.id) + " waits", stack});
        return blocked_.sentence();
    }

    std::string crash() {
        const Fault& fault = evidence_.fault;
        if (!fault.happened) return execution_.message;
        result_.stacks.push_back({name_of(fault.thread) + " crashed here", fault.stack});
        set_end(fault.address.empty() ? "crashes" : "accesses " + fault.address);
        const std::string where = in_function(own_frame(fault.stack));
        if (fault.address.empty()) return execution_.message + where;
        result_.facts.push_back("the address that could not be accessed is " + fault.address);
        std::string signal = execution_.message.substr(0, execution_.message.find(' '));
        return name_of(fault.thread) + " accesses " + fault.address + " (" + signal + ")" + where;
    }

    void set_end(std::string text) {
        ExplainedStep& end = result_.end.emplace();
        end.event = execution_.events.size();
        end.pending = true;
        end.thread = evidence_.fault.thread;
        end.text = std::move(text);
        show_location(end, evidence_.fault.stack);
    }

    std::string assertion() {
        for (std::size_t i = execution_.events.size(); i-- > 0;)
            if (execution_.events[i].action.operation == Operation::fail) {
                matters(i);
                result_.stacks.push_back({name_of(execution_.events[i].thread) + " failed here", stack_of(i)});
                const std::string who = name_of(execution_.events[i].thread) + ": ";
                return who + failure(stack_of(i));
            }
        return shorter(execution_.message);
    }

    // An assertion message already names its source line; other failures do not.
    std::string failure(const Stack& stack) {
        const std::string& message = execution_.message;
        const std::size_t colon = message.find(':');
        if (colon != std::string::npos && colon + 1 < message.size() &&
            std::isdigit(static_cast<unsigned char>(message[colon + 1])) != 0)
            return shorter(message);
        say_what_it_wrote();
        const auto calls = [&](const std::string& name) {
            return std::any_of(stack.begin(), stack.end(), [&](const Frame& frame) { return frame.function == name; });
        };
        const std::string what = !calls("std::terminate()") ? message
                                 : calls("__cxa_throw")     ? "an exception is thrown that nobody catches"
                                                            : "std::terminate was called";
        return what + in_function(own_frame(stack));
    }

    // Most programs print the reason before they give up.
    void say_what_it_wrote() {
        constexpr std::size_t most_lines = 3, longest = 160;
        std::vector<std::string> lines;
        std::istringstream text(execution_.errors);
        for (std::string line; std::getline(text, line);)
            if (line.find_first_not_of(" \t\r") != std::string::npos) lines.push_back(line.substr(0, longest));
        if (lines.empty()) return;
        std::string last;
        for (std::size_t i = lines.size() - std::min(lines.size(), most_lines); i < lines.size(); ++i)
            last += (last.empty() ? "" : " / ") + lines[i];
        result_.facts.push_back("the last it wrote to standard error is: " + last);
    }

    std::string wrong_status() {
        say_what_it_wrote();
        for (std::size_t i = execution_.events.size(); i-- > 0;)
            if (execution_.events[i].action.operation == Operation::process_exit &&
                has_own_location(Operation::process_exit, stack_of(i))) {
                matters(i);
                return execution_.message + in_function(own_frame(stack_of(i)));
            }
        return execution_.message;
    }

    // Messages begin with the path that the compiler was given; the file name is enough.
    static std::string shorter(const std::string& message) {
        const std::size_t colon = message.find(':');
        const std::size_t slash = colon == std::string::npos ? std::string::npos : message.rfind('/', colon);
        return slash == std::string::npos ? message : message.substr(slash + 1);
    }

    static std::string used_by(const Event& event) {
        const bool in_frame = touches_freed_memory(event) && event.action.object.space() == Space::stack;
        return in_frame ? "uses a frame that has ended" : text_of(event.misuse);
    }

    std::string misuse() {
        const std::vector<Event>& events = execution_.events;
        std::size_t at = 0;
        while (at < events.size() && events[at].misuse == Misuse::none) ++at;
        if (at == events.size()) return execution_.message;
        const Event& event = events[at];
        concerns(event.action.object);
        matters(at);
        result_.stacks.push_back({name_of(event.thread) + " " + text_of_event(event, evidence_), stack_of(at)});
        const std::string deed_here = text_of_event(event, evidence_);
        const std::string what =
            is_freeing(event.action) ? deed_here + " a second time" : used_by(event) + (": it " + deed_here);
        const auto other = conflicting(at);
        if (other) {
            const Event& earlier = events[*other];
            matters(*other);
            const std::string deed = name_of(earlier.thread) + " " + text_of_event(earlier, evidence_);
            result_.facts.push_back("before that, " + deed + at_location(stack_of(*other)));
            result_.stacks.push_back({"before that, " + deed, stack_of(*other)});
        }
        if (const auto origin = evidence_.origins.find(event.action.object);
            origin != evidence_.origins.end() && origin->second.in_block) {
            const HeapBlock& block = origin->second.block;
            result_.facts.push_back("the block of " + std::to_string(block.bytes) + " bytes was allocated by " +
                                    name_of(block.allocated_by) + at_location(block.allocated_at));
            const bool was_said = other && is_freeing(events[*other].action);
            if (block.freed && !was_said)
                result_.facts.push_back("and freed by " + name_of(block.freed_by) + at_location(block.freed_at));
        }
        return name_of(event.thread) + " " + what + at_location(stack_of(at));
    }

    // ---- a data race

    std::string race() {
        for (const DataRace& one : races_back_to_back(execution_)) {
            if (text_of(execution_, one) != execution_.message) continue;
            const Event& first = execution_.events[one.first];
            const Event& second = execution_.events[one.second];
            for (const std::size_t event : {one.first, one.second}) {
                matters(event);
                decisive_.insert(event);
                const std::string deed = access_text(execution_.events[event]);
                result_.facts.push_back(deed + at_location(stack_of(event)) + locks_text(event));
                result_.stacks.push_back({deed, stack_of(event)});
            }
            concerns(first.action.object);
            say_where_block_is_from(first.action.object);
            result_.facts.push_back(
                "they would be ordered by a lock that both hold, by an atomic variable that one writes after and the "
                "other reads before, or by waiting: for the thread, a condition, a semaphore, a barrier, a pipe");
            result_.message = "data race on " + text_of_data(first.action, evidence_) + ": " + code_text(one.first) +
                              " and " + code_text(one.second);
            const std::string variable = text_of_object(first.action, false, evidence_);
            return name_of(first.thread) + " " + verb(first) + " " + variable + at_location(stack_of(one.first)) +
                   ", " + name_of(second.thread) + " " + verb(second) + " it" + at_location(stack_of(one.second)) +
                   ", and nothing orders them";
        }
        return execution_.message;
    }
    // "add (bank.c:12)"
    std::string code_text(std::size_t event) const {
        const Frame* frame = own_frame(stack_of(event));
        return frame == nullptr ? text_of_site(execution_.events[event].action.site, execution_.modules.get())
                                : text_of(*frame);
    }
    static const char* verb(const Event& event) {
        return traits(event.action.operation).access == MemoryAccess::writes ? "writes" : "reads";
    }

    // "T1 writes 5 to variable x"; the value only if it is known.
    std::string access_text(const Event& event) const {
        const std::string variable = text_of_object(event.action, false, evidence_);
        const bool knows = (event.action.flags & flag::contents_unknown) == 0;
        if (event.action.operation == Operation::memory_write)
            return name_of(event.thread) + " writes " + (knows ? std::to_string(event.action.value()) + " to " : "") +
                   variable;
        return name_of(event.thread) + " reads " + (knows ? std::to_string(event.result) + " from " : "") + variable;
    }

    std::string locks_text(std::size_t event) const {
        std::string text;
        if (const Holds* holds = history_.holds_before(event))
            for (const auto& [lock, holders] : *holds)
                for (const Hold& hold : holders)
                    if (hold.thread == execution_.events[event].thread)
                        text += (text.empty() ? ", holding " : " and ") +
                                text_of_object(execution_.events[hold.event].action,
                                               execution_.events[hold.event].action.operation == Operation::cond_wake,
                                               evidence_);
        return text.empty() ? ", holding no lock" : text;
    }

    void say_where_block_is_from(const ObjectId& object) {
        const auto origin = evidence_.origins.find(object);
        if (origin == evidence_.origins.end() || !origin->second.in_block) return;
        const HeapBlock& block = origin->second.block;
        result_.facts.push_back("the block of " + std::to_string(block.bytes) + " bytes was allocated by " +
                                name_of(block.allocated_by) + at_location(block.allocated_at));
        result_.stacks.push_back({name_of(block.allocated_by) + " allocated the block", block.allocated_at});
    }

    // The earlier step that conflicts with this one.
    std::optional<std::size_t> conflicting(std::size_t at) const {
        const Event& event = execution_.events[at];
        if (const Holds* holds = history_.holds_before(at)) {
            const ObjectId& lock =
                traits(event.action.operation).kind == Kind::condition ? event.action.second : event.action.object;
            const auto found = holds->find(lock);
            if (found != holds->end() && !found->second.empty()) return found->second.back().event;
        }
        std::optional<std::size_t> same_object;
        for (std::size_t i = at; i-- > 0;) {
            const Action& action = execution_.events[i].action;
            if (!(action.object == event.action.object)) continue;
            if (!same_object) same_object = i;
            if (execution_.events[i].thread == event.thread) continue;
            return i;
        }
        return same_object;
    }

    std::string hang() {
        const Fault& fault = evidence_.fault;
        if (!fault.happened) return execution_.message;
        result_.stacks.push_back({name_of(fault.thread) + " was stopped here", fault.stack});
        set_end("does nothing visible any more");
        return name_of(fault.thread) + " does nothing visible any more" + in_function(own_frame(fault.stack));
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
        const Stack& stack = event ? stack_of(*event) : pending_stack(name.thread);
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
        if (passing.origins.empty()) passing.origins = evidence_.origins;
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
                decisive_.insert(*event);
            }
            concerns(name->action.object);
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

    // A starting thread has no location yet, and exit() may be called outside the program's own code.
    static bool has_own_location(Operation operation, const Stack& stack) {
        const Frame* frame = own_frame(stack);
        if (operation == Operation::process_exit) return frame != nullptr && !frame->file.empty();
        return operation != Operation::thread_start;
    }

    static std::vector<TakenStep> taken(const Evidence& evidence) {
        std::vector<TakenStep> steps;
        steps.reserve(evidence.execution.events.size());
        for (const Event& event : evidence.execution.events) {
            const std::size_t at = steps.size();
            std::string text = text_of_event(event, evidence);
            if (event.misuse != Misuse::none) text += " (misuse)";
            const bool has_location =
                at < evidence.stacks.size() && has_own_location(event.action.operation, evidence.stacks[at]);
            steps.push_back(
                {event.thread, std::move(text), has_location ? location_of(evidence.stacks[at]) : "", false});
        }
        return steps;
    }

    void list_threads() {
        std::map<ThreadId, std::size_t> steps;
        for (const Event& event : execution_.events) ++steps[event.thread];
        for (const Pending& pending : execution_.pending) steps[pending.thread];
        for (const auto& [thread, count] : steps) result_.threads.push_back({thread, entry_of(thread), count});
    }

    bool is_timer(ThreadId thread) const {
        const auto waits = [&](const Event& event) {
            const bool is_timer =
                event.action.object.offset == tool::timer || event.action.object.offset == tool::interval_timer;
            return event.thread == thread && event.action.operation == Operation::futex_wait &&
                   event.action.object.space() == Space::tool && is_timer;
        };
        return std::any_of(execution_.events.begin(), execution_.events.end(), waits);
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
                if (const std::string function = outermost(stack_of(i)); !function.empty()) return function;
        if (is_timer(thread)) return "(a timer)";
        return thread == main_thread ? "main" : outermost(starts(thread) ? Stack{} : pending_stack(thread));
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
        const std::vector<Event>& events = execution_.events;
        std::map<ThreadId, std::size_t> from_end;
        result_.steps_to_end = steps_before_the_end();
        for (std::size_t i = result_.steps_to_end; i-- > 0;) {
            const Event& event = events[i];
            const bool last = event.action.operation != Operation::thread_exit && from_end[event.thread]++ < last_steps;
            const bool of_object = objects_.contains(event.action.object) || objects_.contains(event.action.second);
            const bool cut_short =
                event.effect == Effect::cancelled || event.effect == Effect::timed_out || is_signal(event.action);
            if (last || of_object || cut_short || is_about_threads(event.action.operation) || history_.preempts(i))
                matters(i);
            if (history_.preempts(i) && i > 0) matters(i - 1);
        }
        // The latest steps matter most; steps chosen for a reason stay.
        while (chosen_.size() > most_steps_shown) chosen_.erase(chosen_.begin());
        for (const std::size_t i : chosen_) add_step(i, events[i].thread, result_.taken[i].text, stack_of(i), false);
        for (const Pending& pending : execution_.pending)
            if (execution_.verdict == Verdict::deadlock || execution_.verdict == Verdict::livelock)
                add_step(events.size(), pending.thread, blocked_.waiting_text(pending), pending_stack(pending.thread),
                         true);
    }

    void add_step(std::size_t event, ThreadId thread, std::string text, const Stack& stack, bool pending) {
        ExplainedStep& step = result_.steps.emplace_back();
        step.event = event;
        step.pending = pending;
        step.thread = thread;
        step.text = std::move(text);
        step.preempts = !pending && history_.preempts(event);
        step.decisive = !pending && decisive_.contains(event);
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
        result_.shown_orders = arrows_between(history_.track(), {chosen_.begin(), chosen_.end()});
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
    Explanation result_;
    std::set<std::size_t> chosen_;
    std::set<std::size_t> decisive_;
    std::set<ObjectId> objects_;
};

}  // namespace

Explanation explain(const ExplainInput& input) { return Explainer(input).explain(); }

}  // namespace raddle
