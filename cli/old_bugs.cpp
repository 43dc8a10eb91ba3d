#include "cli/old_bugs.h"

#include <iostream>

#include "cli/one_schedule.h"
#include "cli/text.h"

namespace raddle::cli {

namespace {

// Turns the signal into the stop of a short campaign.
class Stopping final : public Observer {
public:
    explicit Stopping(const Interruption& interruption) : interruption_(interruption) {}
    void tick(const CampaignProgress&) override {
        if (interruption_.signal() != 0) source_.request_stop();
    }
    std::stop_token token() const { return source_.get_token(); }

private:
    const Interruption& interruption_;
    std::stop_source source_;
};

std::string outcome_of(const CampaignResult& result, Verdict before) {
    if (!result.bugs.empty()) {
        const Finding& found = result.bugs.front().first;
        if (found.verdict == before) return "is still there";
        return std::string("has become another: ") + name_of(found.verdict) + ", " + printable(found.message);
    }
    if (!result.disagreements.empty()) return "cannot be tried, its schedule does not fit the program any more";
    if (!result.complete) return "cannot be tried: " + printable(result.incomplete_because().front());
    return "did not show again under its schedule";
}

}  // namespace

void try_old_bugs(KeptCampaign& kept, const TargetFactory& make_target, const StrategyOptions& options,
                  const std::shared_ptr<RaceWatch>& races, const Interruption& interruption) {
    for (const OldBug& old : kept.old_bugs()) {
        Campaign campaign(make_target, make_one_schedule(old.finding.schedule, options),
                          {.keep_going = true, .one_execution = true, .races = races});
        Stopping stopping(interruption);
        const CampaignResult result = campaign.run({&stopping}, stopping.token());
        // Neither tried: the campaign itself will say why, or the next run tries again.
        if (result.end == CampaignEnd::interrupted || result.end == CampaignEnd::failed) return;
        std::cerr << "raddle: " << name_of(old.finding.verdict) << " found before (" << printable(old.finding.message)
                  << ") " << outcome_of(result, old.finding.verdict) << std::endl;
        for (const FindingGroup& bug : result.bugs) kept.keep(bug.first);
        kept.forget(old);
    }
}

}  // namespace raddle::cli
