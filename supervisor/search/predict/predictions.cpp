#include "supervisor/search/predict/predictions.h"

#include <algorithm>

#include "supervisor/base/hash.h"
#include "supervisor/search/predict/predictors.h"
#include "supervisor/search/predict/witness.h"
#include "supervisor/search/saved_parts.h"
#include "supervisor/search/symbolic/order_solver.h"

namespace raddle {

namespace {

// A class with score s waits this long divided by s between two turns.
constexpr std::uint64_t stride_of_score_1 = 1 << 20;

// By rank: certain, usual and weak predictions of suspicions that were tried equally often.
constexpr std::uint32_t tiers = 3;

std::uint32_t score_of(BugClass bug) { return predictor_rows[static_cast<std::size_t>(bug)].score; }

std::uint64_t sum_of_scores() {
    std::uint64_t sum = 0;
    for (const PredictorRow& row : predictor_rows) sum += row.score;
    return sum;
}

// The effort for one class of bugs in one execution: its share of all effort.
struct Effort {
    std::uint64_t used = 0;
    bool is_spent(BugClass bug, std::uint64_t all) const { return used > all * score_of(bug) / sum_of_scores(); }
};

}  // namespace

bool Predictions::is_open(std::uint64_t key) const {
    const auto known = suspicions_.find(key);
    return known == suspicions_.end() || (!known->second.is_settled && known->second.tried < most_tries);
}

bool Predictions::may_be_solved(std::uint64_t key) const {
    const auto known = suspicions_.find(key);
    return known == suspicions_.end() || known->second.unsolved < most_tries;
}

Predictions::Found Predictions::find(const Track& track) const {
    constexpr std::uint64_t most_effort = 5'000'000, most_exact_effort = 600'000, most_solved_effort = 600'000;
    constexpr Position longest_for_everything = 150;
    constexpr std::uint32_t most_states = 30'000;
    Found found;
    const bool has_solver = !order_solver_name().empty();
    const Recording recording(track);
    SyncPreserving sync_preserving(recording, machine_);
    Reorderings reorderings(recording, machine_);
    Solved solved(recording, machine_);
    if (recording.size() <= longest_for_everything)
        for (Reorderings::Shown& shown : reorderings.find_all(most_states))
            found.predictions.push_back(
                {shown.bug, true, false, mix64(shown.key), shown.witness.order, std::move(shown.witness.schedule)});
    const Goals goals = goals_of(recording);
    found.left_out = goals.left_out();
    std::array<Effort, bug_class_count> cheap, exact, by_solver;
    std::set<std::uint64_t> shown;  // suspicions with a witness: the solver is for the others
    std::size_t steps = 0;
    bool has_witness = false;
    for (const Goal& goal : goals.all()) {
        if (goal.is_fallback && has_witness) continue;
        has_witness = false;
        if (!is_open(goal.key)) continue;
        const auto ask = [&](WitnessFinder& finder, Effort& effort, std::uint64_t all) -> std::optional<Witness> {
            if (effort.is_spent(goal.bug, all)) {
                ++found.left_out;
                return std::nullopt;
            }
            const std::uint64_t before = finder.effort();
            std::optional<Witness> witness = finder.find(goal);
            effort.used += finder.effort() - before + 1;
            return witness;
        };
        const auto bug = static_cast<std::size_t>(goal.bug);
        std::optional<Witness> witness = ask(sync_preserving, cheap[bug], most_effort);
        if (!witness) witness = ask(reorderings, exact[bug], most_exact_effort);
        const bool is_worth_it = !reorderings.was_exact() && !shown.contains(goal.key) && may_be_solved(goal.key);
        if (!witness && has_solver && is_worth_it) {
            const bool is_asked = !by_solver[bug].is_spent(goal.bug, most_solved_effort);
            witness = ask(solved, by_solver[bug], most_solved_effort);
            if (is_asked && !witness) found.unsolved.push_back(goal.key);
        }
        if (!witness) continue;
        has_witness = true;
        shown.insert(goal.key);
        if (steps + witness->schedule.size() > most_kept_steps / 2) {
            ++found.left_out;
            continue;
        }
        steps += witness->schedule.size();
        found.predictions.push_back(
            {goal.bug, false, goal.is_weak, goal.key, witness->order, std::move(witness->schedule)});
    }
    return found;
}

std::uint32_t Predictions::rank_of(const Prediction& prediction) const {
    const auto known = suspicions_.find(prediction.key);
    return (known == suspicions_.end() ? 0 : known->second.tried) * tiers + (prediction.is_certain ? 0
                                                                             : prediction.is_weak  ? 2
                                                                                                   : 1);
}

void Predictions::insert(Prediction prediction) {
    BugClassQueue& queue = classes_[static_cast<std::size_t>(prediction.bug)];
    const std::uint32_t rank = rank_of(prediction);
    queue.open.emplace(std::tuple(rank, arrivals_++), std::move(prediction));
}

void Predictions::add(Found found) {
    left_out_ += found.left_out;
    std::sort(found.unsolved.begin(), found.unsolved.end());
    found.unsolved.erase(std::unique(found.unsolved.begin(), found.unsolved.end()), found.unsolved.end());
    for (const std::uint64_t key : found.unsolved) {
        Suspicion& suspicion = suspicions_[key];
        suspicion.unsolved = std::min(suspicion.unsolved + 1, most_tries);
    }
    for (Prediction& prediction : found.predictions) {
        Suspicion& suspicion = suspicions_[prediction.key];
        if (!is_open(prediction.key) || suspicion.open >= most_open) continue;
        if (kept_steps_ + prediction.prefix.size() > most_kept_steps) {
            ++left_out_;
            continue;
        }
        if (!known_.insert(prediction.order).second) continue;
        BugClassQueue& queue = classes_[static_cast<std::size_t>(prediction.bug)];
        // A class that had nothing to do does not catch up.
        if (queue.open.empty()) queue.pass = std::max(queue.pass, now_);
        ++suspicion.open;
        kept_steps_ += prediction.prefix.size();
        insert(std::move(prediction));
    }
}

std::optional<Prediction> Predictions::take() {
    for (;;) {
        BugClassQueue* turn = nullptr;
        for (BugClassQueue& queue : classes_)
            if (!queue.open.empty() && (turn == nullptr || queue.pass < turn->pass)) turn = &queue;
        if (turn == nullptr) return std::nullopt;
        const auto first = turn->open.begin();
        const std::uint32_t rank_before = std::get<0>(first->first);
        Prediction prediction = std::move(first->second);
        turn->open.erase(first);
        Suspicion& suspicion = suspicions_[prediction.key];
        // Its suspicion was tried meanwhile: others may come first.
        if (is_open(prediction.key) && rank_of(prediction) != rank_before) {
            insert(std::move(prediction));
            continue;
        }
        --suspicion.open;
        kept_steps_ -= prediction.prefix.size();
        if (!is_open(prediction.key)) continue;
        ++suspicion.tried;
        now_ = std::max(now_, turn->pass);
        turn->pass += stride_of_score_1 / score_of(prediction.bug);
        return prediction;
    }
}

void save_prediction(Writer& out, const Prediction& prediction) {
    out.number(static_cast<std::uint64_t>(prediction.bug) * 4 + (prediction.is_certain ? 1 : 0) +
               (prediction.is_weak ? 2 : 0));
    out.number(prediction.key);
    out.number(prediction.order);
    save_schedule(out, prediction.prefix);
}

Prediction load_prediction(Reader& in) {
    Prediction prediction;
    const std::uint64_t bits = in.number_below(4 * bug_class_count, "the class of a prediction");
    prediction.bug = static_cast<BugClass>(bits / 4);
    prediction.is_certain = (bits & 1) != 0;
    prediction.is_weak = (bits & 2) != 0;
    prediction.key = in.number();
    prediction.order = in.number();
    prediction.prefix = load_schedule(in);
    return prediction;
}

void save_found(Writer& out, const Predictions::Found& found) {
    out.number(found.left_out);
    out.number(found.unsolved.size());
    for (const std::uint64_t key : found.unsolved) out.number(key);
    out.number(found.predictions.size());
    for (const Prediction& prediction : found.predictions) save_prediction(out, prediction);
}

Predictions::Found load_found(Reader& in) {
    Predictions::Found found;
    found.left_out = in.number();
    found.unsolved.resize(in.count("number of unsolved suspicions"));
    for (std::uint64_t& key : found.unsolved) key = in.number();
    found.predictions.resize(in.count("number of predictions"));
    for (Prediction& prediction : found.predictions) prediction = load_prediction(in);
    return found;
}

void Predictions::save(Writer& out) const {
    const std::map<std::uint64_t, Suspicion> suspicions(suspicions_.begin(), suspicions_.end());
    out.number(suspicions.size());
    for (const auto& [key, suspicion] : suspicions) {
        out.number(key);
        out.number(std::uint64_t{suspicion.tried} * 2 + (suspicion.is_settled ? 1 : 0));
        out.number(suspicion.unsolved);
    }
    out.number(known_.size());
    for (const std::uint64_t order : known_) out.number(order);
    out.number(left_out_);
    out.number(now_);
    // In the order of arrival, which decides among equals.
    std::map<std::uint64_t, std::pair<std::uint32_t, const Prediction*>> open;
    for (const BugClassQueue& queue : classes_) {
        out.number(queue.pass);
        for (const auto& [order, prediction] : queue.open)
            open.emplace(std::get<1>(order), std::pair(std::get<0>(order), &prediction));
    }
    out.number(open.size());
    for (const auto& [arrival, ranked] : open) {
        out.number(ranked.first);
        save_prediction(out, *ranked.second);
    }
}

void Predictions::load(Reader& in) {
    suspicions_.clear();
    known_.clear();
    arrivals_ = 0;
    kept_steps_ = 0;
    for (std::size_t left = in.count("number of suspicions"); left > 0; --left) {
        Suspicion& suspicion = suspicions_[in.number()];
        const std::uint64_t bits = in.number_below(2 * (most_tries + 1), "the tries of a suspicion");
        suspicion.tried = static_cast<std::uint32_t>(bits / 2);
        suspicion.is_settled = (bits & 1) != 0;
        suspicion.unsolved = static_cast<std::uint32_t>(in.number_below(most_tries + 1, "the questions to the solver"));
    }
    for (std::size_t left = in.count("number of known predictions"); left > 0; --left) known_.insert(in.number());
    left_out_ = in.number();
    now_ = in.number();
    for (BugClassQueue& queue : classes_) {
        queue.open.clear();
        queue.pass = in.number();
    }
    for (std::size_t left = in.count("number of open predictions"); left > 0; --left) {
        const auto rank =
            static_cast<std::uint32_t>(in.number_below(tiers * (most_tries + 1), "the rank of a prediction"));
        Prediction prediction = load_prediction(in);
        ++suspicions_[prediction.key].open;
        kept_steps_ += prediction.prefix.size();
        BugClassQueue& queue = classes_[static_cast<std::size_t>(prediction.bug)];
        queue.open.emplace(std::tuple(rank, arrivals_++), std::move(prediction));
    }
}

}  // namespace raddle
