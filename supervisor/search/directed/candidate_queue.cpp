#include "supervisor/search/directed/candidate_queue.h"

#include <algorithm>
#include <utility>

#include "supervisor/search/saved_parts.h"

namespace raddle {

namespace {

// A pattern with score s waits this long divided by s between two turns.
constexpr std::uint64_t stride_of_score_1 = 1 << 20;

}  // namespace

void CandidateQueue::add(std::span<const Candidate> candidates, const Schedule& parent, std::uint32_t preemptions) {
    if (kept_steps_ + parent.size() > most_kept_steps) return;
    const std::uint32_t number = next_parent_++;
    Parent& kept = parents_[number];
    for (const Candidate& candidate : candidates) {
        Suspicion& suspicion = suspicions_[candidate.key];
        Pattern& pattern = patterns_[static_cast<std::size_t>(candidate.pattern)];
        if (is_exhausted(suspicion) || suspicion.open >= most_open || pattern.open.size() >= most_of_pattern) continue;
        // A pattern that had nothing to do does not catch up.
        if (pattern.open.empty()) pattern.pass = std::max(pattern.pass, now_);
        ++suspicion.open;
        ++kept.open;
        ++open_;
        const Entry entry{candidate, number, preemptions};
        insert(entry, rank_of(entry));
    }
    if (kept.open == 0) {
        parents_.erase(number);
        return;
    }
    kept.schedule = parent;
    kept_steps_ += parent.size();
}

std::uint32_t CandidateQueue::rank_of(const Entry& entry) const {
    constexpr std::uint32_t each_try = 2, known_order = 3, most_preemptions = 8;
    return each_try * suspicions_.at(entry.candidate.key).tried + (entry.candidate.is_novel ? 0 : known_order) +
           std::min(entry.preemptions, most_preemptions);
}

void CandidateQueue::insert(const Entry& entry, std::uint32_t rank) {
    patterns_[static_cast<std::size_t>(entry.candidate.pattern)].open.emplace(Order{rank, arrivals_++}, entry);
}

CandidateQueue::Pattern* CandidateQueue::pattern_in_turn() {
    Pattern* turn = nullptr;
    for (Pattern& pattern : patterns_)
        if (!pattern.open.empty() && (turn == nullptr || pattern.pass < turn->pass)) turn = &pattern;
    return turn;
}

std::optional<CandidateQueue::Next> CandidateQueue::take() {
    while (Pattern* const pattern = pattern_in_turn()) {
        const auto first = pattern->open.begin();
        const Entry entry = first->second;
        const std::uint32_t rank_before = std::get<0>(first->first);
        pattern->open.erase(first);
        Suspicion& suspicion = suspicions_[entry.candidate.key];
        if (is_exhausted(suspicion)) {
            --suspicion.open;
            --open_;
            release(entry.parent);
            continue;
        }
        // Its suspicion was tried meanwhile: others may come first.
        if (const std::uint32_t rank = rank_of(entry); rank != rank_before) {
            insert(entry, rank);
            continue;
        }
        --suspicion.open;
        --open_;
        return Next{entry.candidate, entry.parent};
    }
    return std::nullopt;
}

void CandidateQueue::finish(const Next& taken, Result result) {
    Suspicion& suspicion = suspicions_[taken.candidate.key];
    if (result == Result::tried) {
        ++suspicion.tried;
        Pattern& pattern = patterns_[static_cast<std::size_t>(taken.candidate.pattern)];
        now_ = std::max(now_, pattern.pass);
        pattern.pass += stride_of_score_1 / row_of(taken.candidate.pattern).score;
    } else {
        ++suspicion.impossible;
    }
    release(taken.parent);
}

void CandidateQueue::release(std::uint32_t parent) {
    const auto found = parents_.find(parent);
    if (--found->second.open > 0) return;
    kept_steps_ -= found->second.schedule.size();
    parents_.erase(found);
}

void CandidateQueue::clear() { *this = {}; }

void CandidateQueue::save(Writer& out) const {
    std::map<std::uint64_t, Suspicion> suspicions(suspicions_.begin(), suspicions_.end());
    out.number(suspicions.size());
    for (const auto& [key, suspicion] : suspicions) {
        out.number(key);
        out.number(suspicion.tried);
        out.number(suspicion.impossible);
    }
    out.number(now_);
    for (const Pattern& pattern : patterns_) out.number(pattern.pass);
    out.number(parents_.size());
    std::map<std::uint32_t, std::uint32_t> numbers;
    for (const auto& [number, parent] : parents_) {
        numbers.emplace(number, static_cast<std::uint32_t>(numbers.size()));
        save_schedule(out, parent.schedule);
    }
    // In the order of arrival, which decides among equals.
    std::map<std::uint64_t, std::pair<std::uint32_t, const Entry*>> entries;
    for (const Pattern& pattern : patterns_)
        for (const auto& [order, entry] : pattern.open)
            entries.emplace(std::get<1>(order), std::pair(std::get<0>(order), &entry));
    out.number(entries.size());
    for (const auto& [arrival, ranked] : entries) {
        const auto& [rank, entry] = ranked;
        out.number(rank);
        save_candidate(out, entry->candidate);
        out.number(numbers.at(entry->parent));
        out.number(entry->preemptions);
    }
}

void CandidateQueue::load(Reader& in) {
    clear();
    for (std::size_t left = in.count("number of suspicions"); left > 0; --left) {
        Suspicion& suspicion = suspicions_[in.number()];
        suspicion.tried = static_cast<std::uint32_t>(in.number_below(most_tries + 1, "tries of a suspicion"));
        suspicion.impossible =
            static_cast<std::uint32_t>(in.number_below(most_failures + 1, "failed tries of a suspicion"));
    }
    now_ = in.number();
    for (Pattern& pattern : patterns_) pattern.pass = in.number();
    next_parent_ = static_cast<std::uint32_t>(in.count("number of executions with candidates"));
    for (std::uint32_t parent = 0; parent < next_parent_; ++parent) {
        parents_[parent].schedule = load_schedule(in);
        kept_steps_ += parents_[parent].schedule.size();
    }
    load_open(in);
}

void CandidateQueue::load_open(Reader& in) {
    for (std::size_t left = in.count("number of candidates"); left > 0; --left) {
        const auto rank = static_cast<std::uint32_t>(in.number_below(0xffffffffu, "the rank of a candidate"));
        Entry entry;
        entry.candidate = load_candidate(in);
        entry.parent = static_cast<std::uint32_t>(in.number_below(next_parent_, "the execution of a candidate"));
        entry.preemptions = static_cast<std::uint32_t>(in.number_below(0xffffffffu, "preemptions"));
        ++suspicions_[entry.candidate.key].open;
        ++parents_[entry.parent].open;
        ++open_;
        insert(entry, rank);
    }
    for (const auto& [number, parent] : parents_)
        if (parent.open == 0) throw BadInput("saved state is damaged: an execution without candidates");
}

}  // namespace raddle
