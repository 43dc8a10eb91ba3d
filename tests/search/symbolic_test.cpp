// The orders that a solver finds possible, against brute force: all orders of the events of one or two recorded
// executions, each taken in the machine.
#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <set>

#include "supervisor/search/symbolic/possible_orders.h"
#include "supervisor/trace/replay_machine.h"
#include "tests/random_program.h"
#include "tests/search/complaints.h"

namespace raddle {
namespace {

using namespace raddle::testing;

constexpr std::uint64_t no_limit = ~std::uint64_t{0};
constexpr Peephole variants[] = {Peephole::pairs, Peephole::merged, Peephole::dependent};

// Some executions of a program, as tracks.
class Recorded {
public:
    // The orders begin behind so many events. With several plans, from the beginning.
    Recorded(const Code& code, const ModelOptions& options, const std::vector<Plan>& plans, Position begin)
        : options_(options.machine) {
        ModelProgram program(code, options);
        for (const Plan& plan : plans) {
            executions_.push_back(std::make_unique<Execution>(program.run(plan)));
            replays_.push_back(std::make_unique<ReplayMachine>(options.machine));
            replays_.back()->begin(*executions_.back());
            replays_.back()->feed_all();
            const std::size_t events = executions_[0]->events.size();
            begin_ = plans.size() > 1 || events == 0 ? 0 : begin % static_cast<Position>(events);
            stories_.add(replays_.back()->track(), begin_);
        }
        stories_.finish();
    }
    const Stories& stories() const { return stories_; }
    std::size_t count() const { return executions_.size(); }
    const Execution& execution(std::size_t number) const { return *executions_[number]; }
    const Track& track(std::size_t number) const { return replays_[number]->track(); }
    const MachineOptions& options() const { return options_; }
    Position begin() const { return begin_; }
    // Takes the events before.
    void go_to_begin(Track& track) const {
        const Track& recorded = replays_[0]->track();
        track.start(recorded[0].action);
        for (Position i = 0; i < begin_; ++i) {
            const TrackEvent& event = recorded[i];
            track.push(event.thread, event.value);
            if (event.outcome.continues || event.outcome.ends_thread) continue;
            const ThreadRecord& thread = recorded.machine().thread(event.thread);
            const bool is_last = event.number == thread.events;
            if (is_last && thread.life != Life::announced) continue;
            track.announce(event.thread, is_last
                                             ? thread.pending
                                             : recorded[recorded.position_of(event.thread, event.number + 1)].action);
        }
    }

private:
    MachineOptions options_;
    std::vector<std::unique_ptr<Execution>> executions_;
    std::vector<std::unique_ptr<ReplayMachine>> replays_;
    Stories stories_;
    Position begin_ = 0;
};

// By schedule: its graph.
using Schedules = std::map<std::string, Hash128>;

// Brute force: at each point, every thread in every way, as long as a recorded execution shows what it does then.
class EveryOrder {
public:
    using Keeps = std::function<bool(const Track&)>;

    EveryOrder(const Recorded& recorded, std::uint32_t length, std::size_t most, Keeps keeps = {})
        : begin_(recorded.begin()),
          length_(begin_ + length),
          most_(most),
          keeps_(std::move(keeps)),
          track_(recorded.options()) {
        for (std::size_t i = 0; i < recorded.count(); ++i) learn(recorded.track(i));
        recorded.go_to_begin(track_);
        for (Position i = 0; i < begin_; ++i) {
            const std::uint64_t code = track_.machine().thread(track_[i].thread).id.code;
            Point*& now = now_.try_emplace(code, &points_[code]).first->second;
            now = now->ways.front().second.get();
        }
        explore();
    }
    const Schedules& schedules() const { return schedules_; }
    bool is_too_large() const { return schedules_.size() > most_ || steps_ > 40 * most_; }

private:
    // A thread that has seen these results so far.
    struct Point {
        std::optional<Action> next;
        std::vector<std::pair<TrackEvent, std::unique_ptr<Point>>> ways;
    };

    static bool is_same(const TrackEvent& recorded, const ActionOutcome& outcome) {
        return recorded.outcome.effect == outcome.effect && recorded.outcome.misuse == outcome.misuse &&
               recorded.outcome.cancels == outcome.cancels &&
               (recorded.action.operation == Operation::memory_write ||
                recorded.action.operation == Operation::clock_read || recorded.outcome.result == outcome.result);
    }
    static Point* after(Point& point, const ActionOutcome& outcome) {
        for (auto& [event, then] : point.ways)
            if (is_same(event, outcome)) return then.get();
        return nullptr;
    }
    void learn(const Track& track) {
        std::map<std::uint64_t, Point*> at;
        for (Position i = 0; i < track.size(); ++i) {
            const std::uint64_t code = track.machine().thread(track[i].thread).id.code;
            Point*& point = at.try_emplace(code, &points_[code]).first->second;
            if (point == nullptr || (point->next && !(*point->next == track[i].action))) {
                point = nullptr;
                continue;
            }
            point->next = track[i].action;
            Point* then = after(*point, track[i].outcome);
            if (then == nullptr) then = point->ways.emplace_back(track[i], std::make_unique<Point>()).second.get();
            point = then;
        }
        for (auto& [code, point] : at) {
            const ThreadRecord& thread = track.machine().thread(track.machine().find_thread(ThreadId{code}));
            if (point != nullptr && !point->next && thread.life == Life::announced) point->next = thread.pending;
        }
    }
    std::string text() const {
        Schedule schedule;
        for (Position i = begin_; i < track_.size(); ++i)
            schedule.push_back({track_.machine().thread(track_[i].thread).id, track_[i].value});
        return text_of(schedule);
    }
    void explore() {
        if (track_.size() == length_ && (!keeps_ || keeps_(track_))) schedules_.emplace(text(), track_.graph());
        if (track_.size() == length_ || is_too_large()) return;
        for (auto& [code, first] : points_) {
            const ThreadSlot slot = track_.machine().find_thread(ThreadId{code});
            if (slot == no_slot || track_.machine().thread(slot).life != Life::announced) continue;
            const auto now = now_.find(code);
            Point& point = now == now_.end() ? first : *now->second;
            if (point.ways.empty()) continue;
            const std::uint32_t ways = track_.machine().alternatives(slot).count;
            for (std::uint32_t way = 0; way < ways; ++way) take(code, slot, way, point);
        }
    }
    void take(std::uint64_t code, ThreadSlot slot, std::uint32_t way, Point& point) {
        ++steps_;
        const ActionOutcome outcome = track_.push(slot, way).outcome;
        if (Point* const then = after(point, outcome)) {
            if (!outcome.continues && !outcome.ends_thread && then->next) track_.announce(slot, *then->next);
            now_[code] = then;
            explore();
            now_[code] = &point;
        }
        track_.pop();
    }

    Position begin_, length_;
    std::size_t most_, steps_ = 0;
    Keeps keeps_;
    Track track_;
    std::map<std::uint64_t, Point> points_;
    std::map<std::uint64_t, Point*> now_;
    Schedules schedules_;
};

struct Solved {
    Schedules schedules;
    std::uint64_t repeated = 0;
    PossibleOrders::Counts counts;
    std::string wrong;
};

Solved solve(const Recorded& recorded, std::uint32_t length, Peephole peephole) {
    Solved solved;
    Track begin(recorded.options());
    recorded.go_to_begin(begin);
    const std::unique_ptr<OrderSolver> solver = make_order_solver();
    PossibleOrders orders(recorded.stories(), begin, *solver, {.peephole = peephole, .length = length});
    while (const std::optional<Schedule> schedule = orders.next(no_limit)) {
        if (!solved.schedules.emplace(text_of(*schedule), Hash128{}).second) ++solved.repeated;
        if (begin.size() != recorded.begin()) solved.wrong = "the track is not where it was";
    }
    if (orders.gave_up()) solved.wrong = "the solver gave up";
    solved.counts = orders.counts();
    return solved;
}

std::set<std::string> graphs_of(const Solved& solved, const Schedules& all, std::string& wrong) {
    std::set<std::string> graphs;
    for (const auto& [schedule, none] : solved.schedules) {
        const auto known = all.find(schedule);
        if (known == all.end())
            wrong = "impossible: " + schedule;
        else
            graphs.insert(std::to_string(known->second.low) + "/" + std::to_string(known->second.high));
    }
    return graphs;
}

std::string difference(const Recorded& recorded, std::uint32_t length, const Schedules& all,
                       PossibleOrders::Counts& counts, std::uint64_t& peephole_answers) {
    Solved every = solve(recorded, length, Peephole::off);
    if (!every.wrong.empty()) return every.wrong;
    for (const auto& [schedule, graph] : all)
        if (!every.schedules.contains(schedule)) return "left out: " + schedule;
    const std::set<std::string> graphs = graphs_of(every, all, every.wrong);
    if (!every.wrong.empty()) return every.wrong;
    if (every.repeated > 0) return "a schedule twice";
    counts.answers += every.counts.answers;
    counts.impossible += every.counts.impossible;
    std::optional<std::size_t> number;
    for (const Peephole variant : variants) {
        Solved some = solve(recorded, length, variant);
        const std::string name = "variant " + std::to_string(static_cast<int>(variant)) + ": ";
        if (graphs_of(some, all, some.wrong) != graphs) return name + "other graphs";
        if (!some.wrong.empty() || some.repeated > 0) return name + some.wrong;
        if (number.value_or(some.schedules.size()) != some.schedules.size()) return name + "other schedules";
        number = some.schedules.size();
        // By value, events in a row that depend on each other may have the same graph in the other order, too.
        const bool is_by_value = recorded.options().independence == Independence::values;
        if (recorded.stories().threads().size() <= 2 && !is_by_value && some.schedules.size() != graphs.size())
            return name + "a graph twice with two threads";
        counts.redundant += some.counts.redundant;
        peephole_answers += some.counts.answers;
    }
    return "";
}

TEST(PossibleOrders, AreThoseOfBruteForceOnRandomPrograms) {
    if (!make_order_solver()) GTEST_SKIP() << "built without a solver";
    constexpr std::uint64_t longest = 12;
    const std::uint64_t programs = number_of_programs(150, 20'000);
    std::uint64_t asked = 0, with_two = 0, with_several = 0, all_schedules = 0, peephole_answers = 0;
    PossibleOrders::Counts counts;
    for (std::uint64_t seed = 9'000'000; seed < 9'000'000 + programs; ++seed) {
        const RandomProgram random = random_program(seed);
        const ModelOptions options = options_of(random, {.independence = static_cast<Independence>(seed % 3)});
        std::vector<Plan> plans(1 + seed % 2);
        for (Plan& plan : plans) plan.max_steps = longest;
        if (plans.size() > 1) plans[1].tail = {.kind = TailKind::random, .seed = seed};
        const auto begin = seed % 3 == 0 ? static_cast<Position>(seed / 3) : 0;
        const Recorded recorded(code_of(random), options, plans, begin);
        if (recorded.execution(0).events.empty()) continue;  // main waits for ever
        const auto events = static_cast<std::uint32_t>(recorded.execution(0).events.size()) - recorded.begin();
        const std::uint32_t length = seed % 4 == 3 ? 1 + static_cast<std::uint32_t>(seed / 4) % events : events;
        const EveryOrder every(recorded, length, 200);
        if (every.is_too_large()) continue;
        ++asked;
        with_two += recorded.stories().threads().size() == 2 ? 1 : 0;
        with_several += every.schedules().size() > 1 ? 1 : 0;
        all_schedules += every.schedules().size();
        const std::string wrong = difference(recorded, length, every.schedules(), counts, peephole_answers);
        ASSERT_EQ(wrong, "") << "seed " << seed << ", from " << recorded.begin() << ", length " << length << "\n"
                             << to_text(random) << text_of(recorded.execution(0).schedule());
    }
    RecordProperty("asked", static_cast<int>(asked));
    RecordProperty("schedules", static_cast<int>(all_schedules));
    RecordProperty("impossible_answers", static_cast<int>(counts.impossible));
    RecordProperty("redundant_answers", static_cast<int>(counts.redundant));
    EXPECT_GT(asked, programs / 4);
    EXPECT_GT(with_two, programs / 30);
    EXPECT_GT(with_several, programs / 6);
    EXPECT_LT(counts.impossible * 4, counts.answers) << "the conditions say too little: the machine refuses too much";
    EXPECT_LT(counts.redundant * 4, peephole_answers) << "the machine does the work of the reduction";
}

Code in_threads(std::vector<Code> codes) {
    return [codes = std::move(codes)](Thread& t) -> Body {
        for (const Code& code : codes) co_await t.spawn(code);
    };
}

// All orders of the execution in which each thread runs to its end or its wait, against brute force.
std::string difference_for(const Code& code, std::size_t& schedules) {
    const Recorded recorded(code, {.machine = {}, .main_only_ends_itself = true}, {Plan{}}, 0);
    const auto length = static_cast<std::uint32_t>(recorded.execution(0).events.size());
    const EveryOrder every(recorded, length, 2000);
    EXPECT_FALSE(every.is_too_large());
    schedules = every.schedules().size();
    PossibleOrders::Counts counts;
    std::uint64_t answers = 0;
    return difference(recorded, length, every.schedules(), counts, answers);
}

// No clause knows the value behind two initialisations. The machine refuses one order of the two, and only that.
TEST(PossibleOrders, RefuseNoMoreThanWhatTheMachineRefused) {
    if (!make_order_solver()) GTEST_SKIP() << "built without a solver";
    constexpr Semaphore s{0};
    std::size_t schedules = 0;
    const Code code = [=](Thread& t) -> Body {
        co_await t.spawn([=](Thread& u) -> Body { co_await u.init(s, 1); });
        co_await t.init(s, 2);
        co_await t.value(s);
    };
    const Code reversed = [=](Thread& t) -> Body {
        co_await t.init(s, 2);
        co_await t.spawn([=](Thread& u) -> Body { co_await u.init(s, 1); });
        co_await t.spawn([=](Thread& u) -> Body { co_await u.value(s); });
    };
    EXPECT_EQ(difference_for(code, schedules), "");
    EXPECT_GT(schedules, 1u);
    EXPECT_EQ(difference_for(reversed, schedules), "");
    EXPECT_GT(schedules, 1u);
}

// They share no object, and yet the wait cannot come first.
TEST(PossibleOrders, MayHaveAWakeUpDirectlyBehindItsSignal) {
    if (!make_order_solver()) GTEST_SKIP() << "built without a solver";
    constexpr Mutex m{0};
    constexpr Condition c{0};
    std::size_t schedules = 0;
    const Code code = in_threads({[=](Thread& t) -> Body {
                                      co_await t.lock(m);
                                      co_await t.wait(c, m);
                                      co_await t.unlock(m);
                                  },
                                  [=](Thread& t) -> Body { co_await t.signal(c); }});
    EXPECT_EQ(difference_for(code, schedules), "");
    EXPECT_GT(schedules, 1u);
}

// The cancellation mark, which such an access also uses, is no variable.
TEST(PossibleOrders, HaveAnAccessThatIsACancellationPoint) {
    if (!make_order_solver()) GTEST_SKIP() << "built without a solver";
    constexpr Variable x{0};
    std::size_t schedules = 0;
    const Code code = [=](Thread& t) -> Body {
        co_await t.spawn([=](Thread& u) -> Body { co_await u.write(x, 1); });
        co_await t.write(x, 2);
        co_await t.compare_exchange(x, 0, 3).cancellable();
    };
    EXPECT_EQ(difference_for(code, schedules), "");
    EXPECT_GT(schedules, 1u);
}

// What comes before the stories keeps its place: it is no neighbour to swap with.
TEST(PossibleOrders, BeginBehindAThreadThatShouldHaveComeLater) {
    if (!make_order_solver()) GTEST_SKIP() << "built without a solver";
    const auto writing = [](std::uint32_t variable) -> Code {
        return [=](Thread& t) -> Body { co_await t.write(Variable{variable}, 1); };
    };
    const Code main = [=](Thread& t) -> Body {
        co_await t.spawn(writing(1));
        co_await t.spawn(writing(2));
    };
    Plan plan;
    const ThreadId second = child_of(main_thread, 2);
    plan.prefix = {{main_thread, 0}, {main_thread, 0}, {second, 0}, {second, 0}};
    const Recorded recorded(main, {.machine = {}, .main_only_ends_itself = true}, {plan}, 4);
    const auto length = static_cast<std::uint32_t>(recorded.execution(0).events.size()) - 4;
    const EveryOrder every(recorded, length, 2000);
    PossibleOrders::Counts counts;
    std::uint64_t answers = 0;
    EXPECT_GT(every.schedules().size(), 1u);
    EXPECT_EQ(difference(recorded, length, every.schedules(), counts, answers), "");
}

// The value of such a variable is unknown, so a read is the same as before if it reads the same write.
TEST(PossibleOrders, KeepTheWriteThatAReadOfUnknownContentsSaw) {
    if (!make_order_solver()) GTEST_SKIP() << "built without a solver";
    const auto access = [](Operation operation) {
        Action action{.operation = operation, .object = Variable{0}.id()};
        action.set_packed_extent(0);
        return action;
    };
    const Code writing = [=](Thread& t) -> Body { co_await t.perform(access(Operation::memory_write)); };
    const Code reading = [=](Thread& t) -> Body { co_await t.perform(access(Operation::memory_read)); };
    const Code main = [=](Thread& t) -> Body {
        co_await writing(t);
        co_await t.spawn(writing);
        co_await t.spawn(reading);
    };
    // Each thread runs to its end: the read sees the second write, and main's is the other.
    const Recorded recorded(main, {.machine = {}, .main_only_ends_itself = true}, {Plan{}}, 0);
    const auto keeps_the_write = [](const Track& track) {
        std::uint64_t last = 0;
        for (Position i = 0; i < track.size(); ++i) {
            const std::uint64_t code = track.machine().thread(track[i].thread).id.code;
            if (track[i].action.operation == Operation::memory_write) last = code;
            if (track[i].action.operation == Operation::memory_read && last != 1) return false;
        }
        return true;
    };
    const auto length = static_cast<std::uint32_t>(recorded.execution(0).events.size());
    const EveryOrder every(recorded, length, 2000, keeps_the_write);
    ASSERT_FALSE(every.is_too_large());
    ASSERT_GT(every.schedules().size(), 10u);
    const Solved solved = solve(recorded, length, Peephole::off);
    EXPECT_EQ(solved.wrong, "");
    EXPECT_EQ(solved.schedules.size(), every.schedules().size());
    for (const auto& [schedule, graph] : solved.schedules)
        EXPECT_TRUE(every.schedules().contains(schedule)) << schedule;
}

}  // namespace
}  // namespace raddle
