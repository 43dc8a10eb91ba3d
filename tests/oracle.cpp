#include "tests/oracle.h"

#include <algorithm>

#include "supervisor/base/error.h"
#include "tests/model_program.h"

namespace raddle::testing {

namespace {

constexpr std::size_t most_threads = 15;
constexpr std::uint8_t unreached = 0xff;

// A graph of a number of steps; the states form a tree: each has as parent the state that reached it first.
struct State {
    GraphKey key{};
    Hash128 hash{};  // of the whole state of the machine
    std::uint32_t parent = 0;
    ThreadSlot thread = 0;  // the step from the parent
    std::uint32_t value = 0;
    // By the last thread to run; the last row: none has run.
    std::array<double, most_threads + 1> schedules{};  // leading here
    std::array<std::uint8_t, most_threads + 1> least;  // preemptions
};

// With a focus, a thread outside of it goes on as long as it can. Then comes the first ready thread by name, or the one
// that times out first.
bool may_be_chosen(const Machine& machine, ThreadSlot last, ThreadSlot thread, std::uint32_t value) {
    if (!machine.options().has_focus) return true;
    ThreadSlot next = last;
    if (last == no_slot || !machine.is_ready(last)) {
        next = no_slot;
        const auto comes_before = [&](ThreadSlot a, ThreadSlot b) {
            if (machine.is_ready(a) != machine.is_ready(b)) return machine.is_ready(a);
            return machine.is_ready(a) ? machine.thread(a).id < machine.thread(b).id : machine.times_out_before(a, b);
        };
        for (ThreadSlot slot = 0; slot < machine.thread_count(); ++slot)
            if (machine.can_run(slot) && (next == no_slot || comes_before(slot, next))) next = slot;
    }
    const bool is_inside = (machine.thread(next).pending.flags & flag::inside) != 0;
    return is_inside || (thread == next && value == 0);
}

// The event on the path that ends the process, with all that its thread met; zero if there is none.
Hash128 end_of(const Replica& replica) {
    for (const Taken& taken : replica.path())
        if (traits(taken.action.operation).kind == Kind::process) return replica.story_of(taken.thread);
    return {};
}

bool conflict(const ActionOutcome& a, const ActionOutcome& b) {
    for (std::uint8_t i = 0; i < a.use_count; ++i)
        for (std::uint8_t j = 0; j < b.use_count; ++j)
            if (depend(a.uses[i], b.uses[j])) return true;
    return false;
}

// The second was possible before the first happened, and may do otherwise after it.
bool disturbs(const ActionOutcome& happened, const ActionOutcome& other) {
    for (std::uint8_t i = 0; i < happened.use_count; ++i)
        for (std::uint8_t j = 0; j < other.use_count; ++j)
            if (raddle::disturbs(happened.uses[i], other.uses[j])) return true;
    return false;
}

class BruteForce {
public:
    BruteForce(Target& target, const OracleOptions& options)
        : target_(target), options_(options), replica_(target, options.machine) {}

    Truth run() {
        State& first = states_.emplace_back();
        first.least.fill(unreached);
        first.least.back() = 0;
        first.schedules.back() = 1;
        path_ = {0};
        for (std::size_t from = 0; from < states_.size();) {
            const std::size_t to = states_.size();
            found_.clear();
            for (std::size_t at = from; at < to && !given_up(); ++at) {
                go_to(static_cast<std::uint32_t>(at));
                expand(static_cast<std::uint32_t>(at));
            }
            if (given_up()) break;
            from = to;
        }
        if (!replica_.disagreement().empty()) unsound(replica_.disagreement());
        truth_.states = states_.size();
        return std::move(truth_);
    }

private:
    bool given_up() const { return truth_.too_large || !truth_.unsound.empty(); }
    void unsound(std::string why) {
        if (truth_.unsound.empty()) truth_.unsound = std::move(why);
    }

    // Moves the replica to a state of the tree: back to the common ancestor, then forward.
    void go_to(std::uint32_t at) {
        std::vector<std::uint32_t> ahead;
        std::uint32_t meeting = at;
        const auto on_path = [&](std::uint32_t state, std::size_t depth) {
            return depth < path_.size() && path_[depth] == state;
        };
        for (std::size_t depth = depth_of(at); !on_path(meeting, depth); --depth) {
            ahead.push_back(meeting);
            meeting = states_[meeting].parent;
        }
        while (path_.back() != meeting) {
            replica_.back();
            path_.pop_back();
        }
        for (; !ahead.empty(); ahead.pop_back()) {
            replica_.step(states_[ahead.back()].thread, states_[ahead.back()].value);
            path_.push_back(ahead.back());
        }
    }

    std::size_t depth_of(std::uint32_t at) const {
        std::size_t depth = 0;
        for (; at != 0; at = states_[at].parent) ++depth;
        return depth;
    }

    void expand(std::uint32_t at) {
        const Machine& machine = replica_.machine();
        bool ended = true;
        for (ThreadSlot thread = 0; thread < machine.thread_count(); ++thread) {
            if (machine.exceeds_patience(thread)) continue;
            const std::uint32_t ways = machine.alternatives(thread).count;
            for (std::uint32_t value = 0; value < ways; ++value) {
                ended = false;
                follow(at, thread, value);
                if (given_up()) return;
            }
        }
        if (ended) return finish(at);
        if (options_.check_independence) check_commuting();
        if (options_.check_independence && replica_.state_hash() != states_[at].hash && at != 0)
            unsound("taking steps back does not lead back\n" + replica_.path_text());
    }

    void follow(std::uint32_t at, ThreadSlot thread, std::uint32_t value) {
        ++truth_.steps;
        std::uint8_t least = unreached;
        double schedules = 0;
        for (std::size_t last = 0; last <= most_threads; ++last) {
            if (states_[at].least[last] == unreached) continue;
            const ThreadSlot ran = last == most_threads ? no_slot : static_cast<ThreadSlot>(last);
            if (!may_be_chosen(replica_.machine(), ran, thread, value)) continue;
            schedules += states_[at].schedules[last];
            const auto cost = states_[at].least[last] + replica_.machine().cost(ran, thread, value);
            least = std::min(least, static_cast<std::uint8_t>(cost));
        }
        if (schedules == 0) return;
        const bool covered = !options_.check_independence || pending_covers(thread, value);
        replica_.step(thread, value);
        if (!covered) unsound("pending_uses does not tell all that the last event touches\n" + replica_.path_text());
        if (traits(replica_.path().back().action.operation).kind == Kind::process) {
            const auto [end, first] = truth_.ends.try_emplace(replica_.story_of(thread), least);
            if (!first) end->second = std::min<std::uint32_t>(end->second, least);
        }
        const Hash128 hash = options_.check_independence ? replica_.state_hash() : Hash128{};
        const auto [entry, fresh] = found_.try_emplace(replica_.key(), static_cast<std::uint32_t>(states_.size()));
        if (fresh) {
            State& next = states_.emplace_back();
            next.key = replica_.key();
            next.hash = hash;
            next.parent = at;
            next.thread = thread;
            next.value = value;
            next.least.fill(unreached);
        } else if (states_[entry->second].hash != hash) {
            report_two_states(entry->second);
        }
        State& next = states_[entry->second];
        next.least[thread] = std::min(next.least[thread], least);
        next.schedules[thread] += schedules;
        replica_.back();
        if (states_.size() > options_.most_states || replica_.machine().thread_count() > most_threads)
            truth_.too_large = true;
    }

    void finish(std::uint32_t at) {
        Graph& graph = truth_.graphs[states_[at].key];
        graph.bound = *std::ranges::min_element(states_[at].least);
        graph.end = end_of(replica_);
        graph.verdict = verdict_of(replica_.machine());
        graph.schedule = replica_.schedule();
        for (const double schedules : states_[at].schedules) truth_.schedules += schedules;
        if (truth_.graphs.size() > options_.most_graphs) truth_.too_large = true;
        if (options_.check_independence) check_against_target(graph);
    }

    // ---- checks that the relation is sound

    // The target has a new machine, with tables filled in another order, and must give the same events.
    void check_against_target(const Graph& graph) {
        Plan plan;
        plan.prefix = graph.schedule;
        const Execution execution = target_.run(plan);
        bool same = execution.verdict == graph.verdict && execution.events.size() == replica_.path().size();
        for (std::size_t i = 0; same && i < execution.events.size(); ++i) {
            const Taken& taken = replica_.path()[i];
            const Event& event = execution.events[i];
            same = event.action == taken.action && event.effect == taken.outcome.effect &&
                   event.result == taken.outcome.result && event.misuse == taken.outcome.misuse;
        }
        if (!same)
            unsound("the target does otherwise than the machine: " + execution.message + "\n" + replica_.path_text());
    }

    bool pending_covers(ThreadSlot thread, std::uint32_t value) {
        ObjectUse told[most_uses];
        const std::uint8_t count = replica_.machine().pending_uses(thread, told);
        const ActionOutcome outcome = replica_.step(thread, value).outcome;
        replica_.back();
        return std::all_of(outcome.uses, outcome.uses + outcome.use_count, [&](const ObjectUse& use) {
            return std::any_of(told, told + count, [&](const ObjectUse& t) {
                return t.object == use.object && (t.mode == Mode::exclusive || use.mode == t.mode);
            });
        });
    }

    struct Way {
        ThreadSlot thread;
        std::uint32_t value;
        std::uint32_t number;
        ActionOutcome outcome;
        Hash128 felt;
    };

    std::vector<Way> ways_from_here(ThreadSlot except) {
        std::vector<Way> ways;
        const Machine& machine = replica_.machine();
        for (ThreadSlot thread = 0; thread < machine.thread_count(); ++thread) {
            if (thread == except) continue;
            const std::uint32_t count = machine.alternatives(thread).count;
            for (std::uint32_t value = 0; value < count; ++value) {
                const Taken& taken = replica_.step(thread, value);
                ways.push_back({thread, value, taken.number, taken.outcome, taken.felt});
                replica_.back();
            }
        }
        return ways;
    }

    // Independent actions must not enable, disable or change each other.
    void check_commuting() {
        const std::vector<Way> now = ways_from_here(no_slot);
        const auto find = [](const std::vector<Way>& ways, const Way& wanted) -> const Way* {
            for (const Way& way : ways)
                if (way.thread == wanted.thread && way.value == wanted.value) return &way;
            return nullptr;
        };
        for (const Way& a : now) {
            replica_.step(a.thread, a.value);
            const std::vector<Way> then = ways_from_here(a.thread);
            replica_.back();
            for (const Way& b : then) {
                const bool enabled = b.outcome.enabler.thread == a.thread && b.outcome.enabler.number == a.number;
                if (enabled || conflict(a.outcome, b.outcome)) continue;
                const Way* before = find(now, b);
                if (before == nullptr)
                    report_pair("enables", a, b);
                else if (before->felt != b.felt)
                    report_pair("changes", a, b);
            }
            for (const Way& b : now) {
                if (b.thread == a.thread || disturbs(a.outcome, b.outcome)) continue;
                const Way* after = find(then, b);
                if (after == nullptr)
                    report_pair("disables", a, b);
                else if (after->felt != b.felt)
                    report_pair("changes", a, b);
            }
        }
    }

    void report_pair(const char* verb, const Way& a, const Way& b) {
        replica_.step(a.thread, a.value);
        const bool possible = replica_.machine().alternatives(b.thread).count > b.value;
        if (possible) replica_.step(b.thread, b.value);
        unsound(std::string("the last event of ") + short_name(replica_.machine().thread(a.thread).id) + " " + verb +
                " the independent next one of " + short_name(replica_.machine().thread(b.thread).id) + "\n" +
                replica_.path_text());
        if (possible) replica_.back();
        replica_.back();
    }

    void report_two_states(std::uint32_t other) {
        std::vector<std::string> here = replica_.state_text(), there;
        const std::string path = replica_.path_text();
        Replica second(target_, options_.machine);
        std::vector<std::uint32_t> steps;
        for (std::uint32_t at = other; at != 0; at = states_[at].parent) steps.push_back(at);
        for (; !steps.empty(); steps.pop_back()) {
            const ThreadId id = replica_.machine().thread(states_[steps.back()].thread).id;
            second.step(second.machine().find_thread(id), states_[steps.back()].value);
        }
        there = second.state_text();
        std::string text = "two linearisations of one graph lead to different states\n  one:\n" + path + "  other:\n" +
                           second.path_text() + "  they differ in\n";
        for (const std::string& line : here)
            if (!std::ranges::binary_search(there, line) && line.find("history") == std::string::npos)
                text += "    one: " + line + "\n";
        for (const std::string& line : there)
            if (!std::ranges::binary_search(here, line) && line.find("history") == std::string::npos)
                text += "    other: " + line + "\n";
        unsound(text);
    }

    Target& target_;
    const OracleOptions& options_;
    Replica replica_;
    std::vector<State> states_;
    std::vector<std::uint32_t> path_;  // states from the first to the current position of the replica
    std::unordered_map<GraphKey, std::uint32_t, HashOfHash> found_;  // states of the next layer
    Truth truth_;
};

}  // namespace

Truth all_graphs(Target& target, const OracleOptions& options) { return BruteForce(target, options).run(); }

std::vector<std::size_t> Truth::cumulative() const {
    std::vector<std::size_t> count;
    for (const auto& [key, graph] : graphs) {
        if (count.size() <= graph.bound) count.resize(graph.bound + 1);
        ++count[graph.bound];
    }
    for (std::size_t k = 1; k < count.size(); ++k) count[k] += count[k - 1];
    return count;
}

std::map<Verdict, std::size_t> Truth::verdicts(std::uint32_t most_preemptions) const {
    std::map<Verdict, std::size_t> count;
    for (const auto& [key, graph] : graphs)
        if (graph.bound <= most_preemptions) ++count[graph.verdict];
    return count;
}

GraphKey GraphNamer::operator()(const Schedule& schedule) {
    // Keeps the common prefix with the previous schedule.
    const Machine& machine = replica_.machine();
    std::size_t shared = 0;
    const auto& path = replica_.path();
    while (shared < path.size() && shared < schedule.size() &&
           schedule[shared] == Step{machine.thread(path[shared].thread).id, path[shared].value})
        ++shared;
    while (path.size() > shared) replica_.back();
    for (std::size_t i = shared; i < schedule.size(); ++i) {
        const ThreadSlot thread = machine.find_thread(schedule[i].thread);
        if (thread == no_slot || schedule[i].value >= machine.alternatives(thread).count)
            throw BrokenInvariant("the schedule cannot be followed");
        replica_.step(thread, schedule[i].value);
    }
    if (machine.ending() == Ending::running) throw BrokenInvariant("the schedule ends too early");
    return replica_.key();
}

}  // namespace raddle::testing
