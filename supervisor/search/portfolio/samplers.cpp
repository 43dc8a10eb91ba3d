// The members that draw schedules at random, as the strategies of their names do (search/sampling.cpp).
#include "supervisor/search/portfolio/member.h"
#include "supervisor/search/sampling/event_counts.h"

namespace raddle {

namespace {

class Sampler : public Member {
public:
    Sampler(const StrategyOptions& options, TailKind kind) : seed_(options.seed), kind_(kind) {}

    std::optional<Proposal> propose() override {
        Proposal proposal;
        proposal.tail.kind = kind_;
        proposal.tail.seed = seed_of_draw(seed_, kind_, drawn_);
        if (!complete(proposal)) return std::nullopt;
        ++drawn_;
        return proposal;
    }
    bool listens_to(std::uint64_t) const override { return false; }
    void save(Writer& out) const override { out.number(drawn_); }
    void load(Reader& in) override { drawn_ = in.number(); }

protected:
    // Fills in what the tail needs besides its seed. False if too little is known yet.
    virtual bool complete(Proposal&) { return true; }

    const std::uint64_t seed_;
    const TailKind kind_;
    std::uint64_t drawn_ = 0;
};

// The first executions, and later fewer and fewer.
bool is_one_of_few(std::uint64_t number) {
    constexpr std::uint64_t all_before = 32;
    return number <= all_before || (number & (number - 1)) == 0;
}

// A depth of d finds bugs of d ordering constraints. The depths rise in rounds: 1 2, 1 2, … then 1 2 3, and so on, each
// round of depths is drawn 8 times before the next one.
class Pct final : public Sampler {
public:
    explicit Pct(const StrategyOptions& options) : Sampler(options, TailKind::pct) {}
    bool listens_to(std::uint64_t number) const override { return is_one_of_few(number); }
    void learned(const Track& track) override { longest_ = std::max<std::uint64_t>(longest_, track.size()); }
    void save(Writer& out) const override {
        Sampler::save(out);
        out.number(longest_);
    }
    void load(Reader& in) override {
        Sampler::load(in);
        longest_ = in.number();
    }

private:
    bool complete(Proposal& proposal) override {
        if (longest_ == 0) return false;
        std::uint64_t first = 0, depths = 2;
        for (; drawn_ - first >= 8 * depths && depths < most_depths; ++depths) first += 8 * depths;
        proposal.tail.depth = static_cast<std::uint32_t>(2 + (drawn_ - first) % depths) - (depths > 2 ? 1 : 0);
        proposal.tail.length = longest_;
        return true;
    }

    static constexpr std::uint64_t most_depths = 8;
    std::uint64_t longest_ = 0;
};

class Surw final : public Sampler {
public:
    explicit Surw(const StrategyOptions& options) : Sampler(options, TailKind::surw) {}
    bool listens_to(std::uint64_t number) const override { return is_one_of_few(number); }
    void learned(const Track& track) override { counts_.learn(track); }
    void save(Writer& out) const override {
        Sampler::save(out);
        counts_.save(out);
    }
    void load(Reader& in) override {
        Sampler::load(in);
        counts_.load(in);
    }

private:
    bool complete(Proposal& proposal) override {
        if (counts_.empty()) return false;
        proposal.tail.interest = interest_of_draw(counts_, proposal.tail.seed);
        proposal.weights = counts_.weights(proposal.tail.interest);
        return true;
    }

    EventCounts counts_;
};

}  // namespace

// The trial of the memory level makes the first draws of this member (engine/program/memory_trial.h).
std::unique_ptr<Member> make_random_member(const StrategyOptions& options) {
    return std::make_unique<Sampler>(options, TailKind::random);
}
std::unique_ptr<Member> make_pos_member(const StrategyOptions& options) {
    return std::make_unique<Sampler>(options, TailKind::pos);
}
std::unique_ptr<Member> make_surw_member(const StrategyOptions& options) { return std::make_unique<Surw>(options); }
std::unique_ptr<Member> make_pct_member(const StrategyOptions& options) { return std::make_unique<Pct>(options); }

#define RADDLE_MEMBER(name, make, first, share, text) std::unique_ptr<Member> make(const StrategyOptions&);
#include "supervisor/search/portfolio/members.def"
#undef RADDLE_MEMBER

const std::vector<MemberRow>& member_rows() {
    static const std::vector<MemberRow> rows = {
#define RADDLE_MEMBER(name, make, first, share, text) {name, first, share, text, make},
#include "supervisor/search/portfolio/members.def"
#undef RADDLE_MEMBER
    };
    return rows;
}

}  // namespace raddle
