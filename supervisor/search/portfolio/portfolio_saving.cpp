// Saves and loads the portfolio, as a whole and in pieces, and merges two. Plans that are out are not saved: the parts
// ask for them again.
#include <algorithm>

#include "supervisor/search/portfolio/portfolio.h"
#include "supervisor/search/saved_parts.h"

namespace raddle {

namespace {

// Stored on disk.
constexpr const char* name_of_sweep = "sweep";

}  // namespace

void Portfolio::save(Writer& out) const {
    progress_.save(out);
    experience_.knowledge().save(out);
    experience_.save_graphs(out);
    save_small_parts(out);
    save_explored(out);
    experience_.save_earlier(out);
}

void Portfolio::load(Reader& in) {
    progress_.load(in);
    experience_.knowledge().load(in);
    experience_.load_graphs(in);
    load_small_parts(in);
    load_explored(in);
    experience_.load_earlier(in);
}

void Portfolio::save_summary(Writer& out) const {
    progress_.save(out);
    experience_.save_sizes(out);
    save_small_parts(out);
}

void Portfolio::load_summary(Reader& in) {
    progress_ = {};
    progress_.load(in);
    experience_.load_sizes(in);
    load_small_parts(in);
}

// The caches of finished nodes.
void Portfolio::save_explored(Writer& out) const {
    for (const auto& pass : passes_) pass->search().save(out);
}

void Portfolio::load_explored(Reader& in) {
    for (auto& pass : passes_) pass->search().load(in);
}

void Portfolio::save_small_parts(Writer& out) const {
    out.number(options_.seed);
    experience_.save_executions(out);
    out.number(next_id_);
    save_confirmations(out);
    experience_.save_reasons(out);
    out.number(bounds_stopped_ ? 1 : 0);
    out.number(given_up_.size());
    given_up_.each([&](const Hash128& past, std::uint32_t) { save_hash(out, past); });
    save_passes(out);
    save_members(out);
    out.number(told_.size());
    for (const auto& [id, schedule] : told_) {
        out.number(id);
        save_schedule(out, schedule);
    }
    experience_.save_findings(out);
    experience_.save_bugs(out);
}

void Portfolio::load_small_parts(Reader& in) {
    if (const std::uint64_t seed = in.number(); seed != options_.seed)
        throw BadInput("saved search state: its samples were drawn with the seed " + std::to_string(seed) + ", not " +
                       std::to_string(options_.seed));
    experience_.load_executions(in);
    next_id_ = in.number();
    load_confirmations(in);
    experience_.load_reasons(in);
    bounds_stopped_ = in.number_below(2, "mark") != 0;
    given_up_.clear();
    for (std::size_t left = in.count("number of given-up pasts"); left > 0; --left) {
        const Hash128 past = load_hash(in);
        given_up_.find_or_add(past, 0);
        for (auto& pass : passes_) pass->give_up_past(past);
    }
    if (experience_.reasons().empty()) progress_.go_further(options_);
    load_passes(in);
    load_members(in);
    told_.clear();
    for (std::size_t left = in.count("number of schedules"); left > 0; --left) {
        const std::uint64_t id = in.number();
        told_[id] = load_schedule(in);
    }
    experience_.load_findings(in);
    experience_.load_bugs(in);
}

// The schedules to confirm, wanted and out.
void Portfolio::save_confirmations(Writer& out) const {
    std::vector<std::pair<const Schedule*, const std::string*>> confirm;
    for (const auto& [schedule, found_by] : experience_.to_confirm()) confirm.emplace_back(&schedule, &found_by);
    const auto add = [&](const Wanted& wanted) {
        if (wanted.confirms()) confirm.emplace_back(&wanted.plan.prefix, &wanted.found_by);
    };
    for (const Wanted& wanted : queue_) add(wanted);
    for (const auto& [id, wanted] : out_) add(wanted);
    out.number(confirm.size());
    for (const auto& [schedule, found_by] : confirm) {
        save_schedule(out, *schedule);
        out.text(*found_by);
    }
}

void Portfolio::load_confirmations(Reader& in) {
    auto& confirm = experience_.to_confirm();
    confirm.clear();
    for (std::size_t left = in.count("number of schedules"); left > 0; --left) {
        Schedule schedule = load_schedule(in);
        confirm.emplace_back(std::move(schedule), in.text());
    }
}

void Portfolio::save_passes(Writer& out) const {
    for (const auto& pass : passes_) {
        out.number(pass->bound());
        out.number((pass->is_complete() ? 1u : 0u) | (pass->has_cut() ? 2u : 0u));
    }
}

void Portfolio::load_passes(Reader& in) {
    assign_bounds();
    for (std::uint32_t i = 0; i < Turns::bounds; ++i) {
        const std::uint64_t bound = in.number();
        const std::uint64_t marks = in.number_below(4, "marks of a bound");
        for (auto& pass : passes_)
            if (pass->bound() == bound) pass->set_complete((marks & 1) != 0, (marks & 2) != 0);
    }
}

// A state without a member, or with one more, loads, too: members may be added. The sweep is saved as one.
void Portfolio::save_members(Writer& out) const {
    Writer turns;
    turns_.save(turns);
    out.number(members_.size() + (sweep_ ? 1 : 0));
    out.text(turns.bytes());
    for (std::size_t i = 0; i < members_.size(); ++i) {
        Writer member;
        members_[i]->save(member);
        out.text(member_rows()[i].name);
        out.text(member.bytes());
    }
    if (!sweep_) return;
    Writer sweep;
    sweep_->save(sweep);
    out.text(name_of_sweep);
    out.text(sweep.bytes());
}

void Portfolio::load_members(Reader& in) {
    const std::size_t count = in.count("number of members");
    const std::string turns = in.text();
    std::size_t known = 0;
    for (std::size_t left = count; left > 0; --left) {
        const std::string name = in.text(), bytes = in.text();
        if (name == name_of_sweep) {
            Reader saved(bytes);
            load_sweep(saved);
            continue;
        }
        ++known;
        for (std::size_t i = 0; i < members_.size(); ++i) {
            if (name != member_rows()[i].name) continue;
            Reader saved(bytes);
            members_[i]->load(saved);
        }
    }
    if (known != members_.size()) return;
    Reader saved(turns);
    turns_.load(saved);
}

void Portfolio::load_sweep(Reader& in) {
    experience_.close();
    sweep_ = std::make_unique<Sweep>(options_, experience_);
    sweep_->load(in);
}

bool Portfolio::merge(const Strategy& strategy) {
    const auto* other = dynamic_cast<const Portfolio*>(&strategy);
    if (other == nullptr || !out_.empty() || !other->out_.empty()) return false;
    // What a sweep is done with is not kept, so nothing tells which graphs both have seen.
    if (sweep_ || other->sweep_) return false;
    // The round that was about to begin was planned without the other's knowledge. A confirmation remains wanted.
    auto& confirm = experience_.to_confirm();
    for (Wanted& wanted : queue_)
        if (wanted.confirms()) confirm.emplace_back(std::move(wanted.plan.prefix), std::move(wanted.found_by));
    queue_.clear();
    postponed_.clear();
    for (auto& pass : passes_) pass->resume();
    const auto add = [&](const Schedule& schedule, const std::string& found_by) {
        const auto is_same = [&](const auto& one) { return one.first == schedule; };
        if (std::none_of(confirm.begin(), confirm.end(), is_same)) confirm.emplace_back(schedule, found_by);
    };
    for (const Wanted& wanted : other->queue_)
        if (wanted.confirms()) add(wanted.plan.prefix, wanted.found_by);
    for (const auto& [schedule, found_by] : other->experience_.to_confirm()) add(schedule, found_by);
    experience_.merge(other->experience_);
    next_id_ = std::max(next_id_, other->next_id_);
    bounds_stopped_ = bounds_stopped_ || other->bounds_stopped_;
    other->given_up_.each([&](const Hash128& past, std::uint32_t) {
        given_up_.find_or_add(past, 0);
        for (auto& pass : passes_) pass->give_up_past(past);
    });
    progress_.merge(other->progress_, options_, !experience_.reasons().empty());
    // Passes that are under way must end: their results would not hold for both.
    assign_bounds();
    return true;
}

}  // namespace raddle
