// The member that looks for orders of events that bugs are known for (search/directed). It keeps pasts of its own: the
// portfolio need not know how it finds its schedules. The portfolio may leave out a proposal that could end in the
// graph of another plan of its round. This member then proposes it once more.
#include <deque>
#include <vector>

#include "supervisor/search/directed/directed_search.h"
#include "supervisor/search/portfolio/member.h"
#include "supervisor/search/saved_parts.h"

namespace raddle {

namespace {

bool is_never_blocked(const Action& action) {
    const Wait waits = traits(action.operation).waits;
    return waits == Wait::nothing || (waits == Wait::change && !spins(action));
}

// Switches away from a thread that did not wait next. The state at the switch would tell exactly, but ranking
// candidates needs no more.
std::uint32_t estimated_preemptions(const Track& track) {
    std::vector<const Action*> next(track.machine().thread_count(), nullptr);
    std::uint32_t preemptions = 0;
    for (Position i = track.size(); i-- > 0;) {
        const TrackEvent& event = track[i];
        const Action* const goes_on = next[event.thread];
        const bool is_left = i + 1 < track.size() && track[i + 1].thread != event.thread;
        if (is_left && goes_on != nullptr && is_never_blocked(*goes_on)) ++preemptions;
        next[event.thread] = &event.action;
    }
    return preemptions;
}

class DirectedMember final : public Member {
public:
    explicit DirectedMember(const StrategyOptions& options)
        : options_(options), search_(options_, options.memory_limit / 8 / 100) {}

    std::optional<Proposal> propose() override {
        if (has_learned_) end_round();
        if (!left_out_.empty()) {
            Schedule again = std::move(left_out_.front().prefix);
            left_out_.pop_front();
            return Proposal{.prefix = std::move(again)};
        }
        std::optional<Director::Proposal> proposal = search_.propose();
        if (!proposal) return std::nullopt;
        if (!proposal->is_whole && heard_ < hears_all) out_.push_back({proposal->prefix, proposal->past});
        return Proposal{.prefix = std::move(proposal->prefix)};
    }
    void learned(const Track& track) override {
        has_learned_ = true;
        ++heard_;
        search_.learn_pasts(track);
        search_.learn_orders(track, estimated_preemptions(track));
    }
    bool listens_to(std::uint64_t number) const override { return number <= hears_all || number % hears_one_of == 0; }

    void outgrow() override {
        search_.outgrow();
        out_.clear();
        left_out_.clear();
    }

    void save(Writer& out) const override {
        search_.save(out);
        out.number(has_learned_ ? 1 : 0);
        out.number(heard_);
        for (const std::deque<Awaiting>* list : {&out_, &left_out_}) {
            out.number(list->size());
            for (const Awaiting& one : *list) {
                save_schedule(out, one.prefix);
                save_hash(out, one.past);
            }
        }
    }
    void load(Reader& in) override {
        search_.load(in);
        has_learned_ = in.number_below(2, "whether a member has learned") != 0;
        heard_ = in.number();
        for (std::deque<Awaiting>* list : {&out_, &left_out_}) {
            list->clear();
            for (std::size_t left = in.count("number of proposals"); left > 0; --left) {
                Schedule prefix = load_schedule(in);
                list->push_back({std::move(prefix), load_hash(in)});
            }
        }
    }

private:
    // New candidates become rare, and looking for them costs several times as much as learning.
    static constexpr std::uint64_t hears_all = 512, hears_one_of = 32;

    // A proposal for an unknown past.
    struct Awaiting {
        Schedule prefix;
        Hash128 past;
    };

    // The executions of the round are known. Those of the proposals that are still unknown were left out.
    void end_round() {
        has_learned_ = false;
        for (Awaiting& one : out_)
            if (!search_.knows(one.past)) left_out_.push_back(std::move(one));
        out_.clear();
        search_.begin_batch();
    }

    const StrategyOptions options_;
    DirectedSearch search_;
    bool has_learned_ = false;  // since the last proposal
    std::uint64_t heard_ = 0;   // executions
    std::deque<Awaiting> out_, left_out_;
};

}  // namespace

std::unique_ptr<Member> make_directed_member(const StrategyOptions& options) {
    return std::make_unique<DirectedMember>(options);
}

}  // namespace raddle
