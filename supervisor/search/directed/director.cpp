#include "supervisor/search/directed/director.h"

namespace raddle {

void Director::learn(const Track& track, std::uint32_t preemptions) {
    digest_.read(track);
    queue_.add(finder_.find(digest_, facts_), schedule_of(track), preemptions);
}

std::optional<Director::Proposal> Director::propose(Walk& walk, const Judge& judge) {
    ScheduleBuilder builder(walk, max_steps_);
    while (builder.steps() < most_steps_a_call) {
        const std::optional<CandidateQueue::Next> next = queue_.take();
        if (!next) return std::nullopt;
        const ScheduleBuilder::Built built = builder.build(queue_.schedule_of(next->parent), next->candidate);
        if (built == ScheduleBuilder::Built::impossible) {
            queue_.finish(*next, CandidateQueue::Result::impossible);
            continue;
        }
        const Use use = judge(walk, built);
        queue_.finish(*next, use == Use::skip ? CandidateQueue::Result::impossible : CandidateQueue::Result::tried);
        if (use == Use::learn) learn(walk.track(), builder.preemptions());
        if (use == Use::execute)
            return Proposal{walk.schedule(), walk.track()[walk.track().size() - 1].past, next->candidate.pattern,
                            built == ScheduleBuilder::Built::leaf};
    }
    return std::nullopt;
}

void Director::save(Writer& out) const {
    facts_.save(out);
    queue_.save(out);
}

void Director::load(Reader& in) {
    facts_.load(in);
    queue_.load(in);
}

}  // namespace raddle
