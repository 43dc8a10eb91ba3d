// The result of a campaign in words: why it is incomplete, its verdict, and the stored names.
#include "supervisor/campaign/campaign_result.h"

#include <algorithm>

#include "supervisor/base/error.h"
#include "supervisor/base/text.h"

namespace raddle {

namespace {

bool is_bad_input(const std::exception_ptr& failure) {
    try {
        if (failure) std::rethrow_exception(failure);
    } catch (const BadInput&) {
        return true;
    } catch (...) {}
    return false;
}

}  // namespace

std::vector<std::string> CampaignResult::incomplete_because() const {
    std::vector<std::string> reasons;
    for (const Bug& cut : cuts) {
        const std::string kind = text_of(cut.found.verdict);
        reasons.push_back((cut.found.message == kind ? kind : kind + ": " + cut.found.message) + " (" +
                          counted(cut.found.times, "time") + ")");
    }
    for (const Bug& one : unstable)
        reasons.push_back(std::string(nondeterminism) +
                          "a bug did not show again under its schedule: " + one.found.message);
    for (const Bug& one : disagreements) reasons.push_back(std::string(nondeterminism) + one.simplest().message);
    for (const std::string& reason : coverage.incomplete_because) {
        const auto says = [&](const Bug& group) { return reason.starts_with(text_of(group.found.verdict)); };
        const bool told = std::any_of(cuts.begin(), cuts.end(), says) ||
                          std::any_of(disagreements.begin(), disagreements.end(), says);
        if (!told && std::find(reasons.begin(), reasons.end(), reason) == reasons.end()) reasons.push_back(reason);
    }
    switch (end) {
        case CampaignEnd::finished: break;
        case CampaignEnd::first_bug: reasons.emplace_back("stopped at the first bug"); break;
        case CampaignEnd::executions: reasons.emplace_back("the budget of executions ended"); break;
        case CampaignEnd::time: reasons.emplace_back("the budget of time ended"); break;
        case CampaignEnd::interrupted: reasons.emplace_back("interrupted"); break;
        case CampaignEnd::failed:
            reasons.push_back((is_bad_input(failure) ? "" : "the target failed again and again: ") + text_of(failure));
            break;
    }
    if (lost > 0) reasons.push_back(counted(lost, "execution was", "executions were") + " under way at the end");
    if (reasons.empty() && !complete) reasons.emplace_back("the search ended without having seen everything");
    return reasons;
}

std::string counts_of(const Coverage& coverage) {
    std::string text = counted(coverage.graphs, "graph") + ", " + counted(coverage.executions, "execution");
    if (coverage.void_executions > 0) text += " and " + counted(coverage.void_executions, "void one");
    return text;
}

bool proves_fewest_preemptions(const CampaignResult& result, const Finding& finding) {
    return result.cuts.empty() && result.disagreements.empty() &&
           proves_fewest_preemptions(result.coverage, finding.verdict, finding.preemptions);
}

CampaignVerdict verdict_of(const CampaignResult& result) {
    if (!result.bugs.empty()) return CampaignVerdict::bug;
    if (!result.disagreements.empty() || !result.unstable.empty()) return CampaignVerdict::diverged;
    const auto uncontrolled = result.verdicts.find(Verdict::uncontrolled);
    const bool never_controlled = uncontrolled != result.verdicts.end() && result.verdicts.size() == 1;
    if (never_controlled || (result.verdicts.empty() && is_bad_input(result.failure)))
        return CampaignVerdict::uncontrollable;
    return result.complete ? CampaignVerdict::ok : CampaignVerdict::incomplete;
}

const char* name_of(CampaignEnd end) {
    switch (end) {
#define RADDLE_ROW(name) \
    case CampaignEnd::name: return #name;
        RADDLE_CAMPAIGN_ENDS(RADDLE_ROW)
#undef RADDLE_ROW
    }
    return "?";
}

std::optional<CampaignEnd> end_named(const std::string& name) {
#define RADDLE_ROW(end) \
    if (name == #end) return CampaignEnd::end;
    RADDLE_CAMPAIGN_ENDS(RADDLE_ROW)
#undef RADDLE_ROW
    return std::nullopt;
}

const char* name_of(CampaignVerdict verdict) {
    switch (verdict) {
#define RADDLE_ROW(name, code) \
    case CampaignVerdict::name: return #name;
        RADDLE_CAMPAIGN_VERDICTS(RADDLE_ROW)
#undef RADDLE_ROW
    }
    return "?";
}

int exit_code_of(CampaignVerdict verdict) {
    switch (verdict) {
#define RADDLE_ROW(name, code) \
    case CampaignVerdict::name: return code;
        RADDLE_CAMPAIGN_VERDICTS(RADDLE_ROW)
#undef RADDLE_ROW
    }
    return 3;
}

std::string text_of(const std::exception_ptr& failure) {
    try {
        if (failure) std::rethrow_exception(failure);
    } catch (const std::exception& error) {
        return error.what();
    } catch (...) {
        return "an error of unknown kind";
    }
    return {};
}

}  // namespace raddle
