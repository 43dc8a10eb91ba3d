#include "supervisor/search/directed/directed_search.h"

#include <vector>

namespace raddle {

DirectedSearch::DirectedSearch(const StrategyOptions& options, std::size_t most_pasts, BugPatterns patterns)
    : options_(options),
      most_pasts_(most_pasts),
      walk_(options.machine, knowledge_),
      director_(options.max_steps, patterns) {}

void DirectedSearch::learn_pasts(const Track& track) {
    std::vector<Position> last(track.machine().thread_count(), nowhere);
    for (Position i = 0; i < track.size(); ++i) {
        const TrackEvent& event = track[i];
        Position& before = last[event.thread];
        if (before == nowhere) {
            if (track.machine().thread(event.thread).id == main_thread) learn(Knowledge::beginning, event.action);
        } else if (!track[before].outcome.continues) {
            learn(track[before].past, event.action);
        }
        before = i;
    }
    for (ThreadSlot thread = 0; thread < last.size(); ++thread) {
        const ThreadRecord& record = track.machine().thread(thread);
        if (last[thread] == nowhere || record.life != Life::announced || track[last[thread]].outcome.continues)
            continue;
        learn(track[last[thread]].past, record.pending);
    }
}

void DirectedSearch::learn_orders(const Track& track, std::uint32_t preemptions) {
    note_graph(track.graph());
    director_.learn(track, preemptions);
}

void DirectedSearch::learn_orders(const Schedule& schedule) {
    Track& track = walk_.track();
    track.pop_to(0);
    if (!walk_.begin()) return;
    std::uint32_t preemptions = 0;
    for (const Step& step : schedule) {
        const ThreadSlot thread = walk_.machine().find_thread(step.thread);
        if (thread == no_slot || step.value >= walk_.machine().alternatives(thread).count) break;
        preemptions += walk_.machine().cost(track.last_thread(), thread, step.value);
        if (!walk_.step(thread, step.value)) break;
    }
    learn_orders(track, preemptions);
}

void DirectedSearch::begin_batch() {
    awaited_.clear();
    if (knowledge_.size() > most_pasts_) forget_pasts();
}

void DirectedSearch::forget_pasts() {
    walk_.track().reset();
    knowledge_ = {};
    director_.forget_candidates();
}

void DirectedSearch::outgrow() {
    forget_pasts();
    graphs_.clear();
    awaited_.clear();
}

std::optional<Director::Proposal> DirectedSearch::propose() {
    return director_.propose(walk_,
                             [this](const Walk& walk, ScheduleBuilder::Built built) { return judge(walk, built); });
}

Director::Use DirectedSearch::judge(const Walk& walk, ScheduleBuilder::Built built) {
    const Track& track = walk.track();
    const bool is_leaf = built == ScheduleBuilder::Built::leaf;
    HashIndex& known = is_leaf ? graphs_ : awaited_;
    const Hash128 name = is_leaf ? track.graph() : track[track.size() - 1].past;
    if (known.find(name) != HashIndex::none) return Director::Use::skip;
    known.find_or_add(name, 0);
    const bool executes = !is_leaf || options_.execute_all || is_bug(verdict_of(walk.machine()));
    return executes ? Director::Use::execute : Director::Use::learn;
}

void DirectedSearch::save(Writer& out) const {
    knowledge_.save(out);
    director_.save(out);
    for (const HashIndex* known : {&graphs_, &awaited_}) {
        out.number(known->size());
        known->each([&](const Hash128& hash, std::uint32_t) { save_hash(out, hash); });
    }
}

void DirectedSearch::load(Reader& in) {
    walk_.track().reset();
    knowledge_.load(in);
    director_.load(in);
    for (HashIndex* known : {&graphs_, &awaited_}) {
        known->clear();
        for (std::size_t left = in.count("number of graphs"); left > 0; --left) known->find_or_add(load_hash(in), 0);
    }
}

}  // namespace raddle
