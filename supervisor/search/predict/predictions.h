// The predictions that recorded executions give, and the order in which they are to be executed.
//
// Rules: classes of bugs take turns in proportion to their scores (stride scheduling, Waldspurger, 1995), the best
// first. Within a class, suspicions that were tried less often come first. A suspicion is tried a bounded number of
// times, and not at all once it came true. All effort is bounded by counts of steps, never by time.
#pragma once

#include <array>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "supervisor/base/bytes.h"
#include "supervisor/search/predict/goal.h"
#include "supervisor/trace/execution.h"
#include "supervisor/trace/track.h"

namespace raddle {

struct Prediction {
    BugClass bug{};
    bool is_certain = false;  // the model shows the bug itself, and not only an order that bugs are known for
    bool is_weak = false;     // Goal::is_weak
    std::uint64_t key = 0;    // of its suspicion
    std::uint64_t order = 0;  // the same for prefixes that differ only in commuting events
    Schedule prefix;
};

class Predictions {
public:
    explicit Predictions(const MachineOptions& machine) : machine_(machine) {}

    // What one execution gives: a function of the execution and of the suspicions that are settled.
    struct Found {
        std::vector<Prediction> predictions;
        std::uint64_t left_out = 0;           // suspicions that the limits of effort left out
        std::vector<std::uint64_t> unsolved;  // keys for which even the solver found nothing
    };
    Found find(const Track& track) const;
    void add(Found found);

    // The next one to execute.
    std::optional<Prediction> take();
    // The execution of one showed a bug of its class: its suspicion is settled.
    void note_true(std::uint64_t key) { suspicions_[key].is_settled = true; }

    std::uint64_t left_out() const { return left_out_; }
    // The visible set grew: schedules have other events now.
    void save(Writer& out) const;
    void load(Reader& in);

private:
    static constexpr std::uint32_t most_tries = 3;  // of one suspicion
    static constexpr std::uint32_t most_open = 3;
    static constexpr std::size_t most_kept_steps = std::size_t{6} << 20;

    struct Suspicion {
        std::uint32_t tried = 0, open = 0;
        std::uint32_t unsolved = 0;  // the solver is not asked again and again
        bool is_settled = false;
    };
    struct BugClassQueue {
        std::map<std::tuple<std::uint32_t, std::uint64_t>, Prediction> open;  // by rank and arrival
        std::uint64_t pass = 0;
    };
    bool is_open(std::uint64_t key) const;
    bool may_be_solved(std::uint64_t key) const;
    std::uint32_t rank_of(const Prediction& prediction) const;
    void insert(Prediction prediction);

    const MachineOptions machine_;
    std::array<BugClassQueue, bug_class_count> classes_;
    std::unordered_map<std::uint64_t, Suspicion> suspicions_;  // by key
    std::set<std::uint64_t> known_;                            // Prediction::order of all so far
    std::uint64_t arrivals_ = 0;
    std::uint64_t now_ = 0;  // the pass of the class that was served last
    std::size_t kept_steps_ = 0;
    std::uint64_t left_out_ = 0;
};

void save_prediction(Writer& out, const Prediction& prediction);
Prediction load_prediction(Reader& in);
void save_found(Writer& out, const Predictions::Found& found);
Predictions::Found load_found(Reader& in);

}  // namespace raddle
