#include "replay/report/alignment.h"

#include <algorithm>
#include <map>
#include <utility>

namespace raddle {

namespace {

constexpr std::size_t none = static_cast<std::size_t>(-1);

using StepOfThread = std::pair<ThreadId, std::size_t>;

std::vector<StepOfThread> names_of(const std::vector<TakenStep>& steps) {
    std::map<ThreadId, std::size_t> counts;
    std::vector<StepOfThread> names;
    names.reserve(steps.size());
    for (const TakenStep& step : steps) names.emplace_back(step.thread, counts[step.thread]++);
    return names;
}

// For each failing step the position of the same step in the passing execution.
std::vector<std::size_t> partners_of(const std::vector<TakenStep>& failing, const std::vector<TakenStep>& passing) {
    std::map<StepOfThread, std::size_t> places;
    const std::vector<StepOfThread> there = names_of(passing);
    for (std::size_t i = 0; i < there.size(); ++i) places[there[i]] = i;
    std::vector<std::size_t> partners;
    partners.reserve(failing.size());
    for (const StepOfThread& name : names_of(failing)) {
        const auto place = places.find(name);
        partners.push_back(place == places.end() ? none : place->second);
    }
    return partners;
}

// The longest part of the partners that lies in the order of both executions. Names are unique, so this is the longest
// increasing subsequence.
std::vector<bool> in_order(const std::vector<std::size_t>& partners) {
    std::vector<std::size_t> tails, before(partners.size(), none);
    for (std::size_t i = 0; i < partners.size(); ++i) {
        if (partners[i] == none) continue;
        const auto tail = std::lower_bound(tails.begin(), tails.end(), partners[i],
                                           [&](std::size_t at, std::size_t value) { return partners[at] < value; });
        if (tail != tails.begin()) before[i] = *(tail - 1);
        if (tail == tails.end())
            tails.push_back(i);
        else
            *tail = i;
    }
    std::vector<bool> chosen(partners.size());
    for (std::size_t at = tails.empty() ? none : tails.back(); at != none; at = before[at]) chosen[at] = true;
    return chosen;
}

bool same_result(const TakenStep& one, const TakenStep& other) {
    return one.text == other.text && one.value == other.value;
}

}  // namespace

std::vector<AlignedStep> aligned(const std::vector<TakenStep>& failing, const std::vector<TakenStep>& passing) {
    const std::vector<std::size_t> partners = partners_of(failing, passing);
    const std::vector<bool> chosen = in_order(partners);
    std::vector<bool> is_partner(passing.size());
    for (const std::size_t partner : partners)
        if (partner != none) is_partner[partner] = true;
    std::vector<AlignedStep> rows;
    std::size_t next = 0;
    const auto add_passing_before = [&](std::size_t end) {
        for (; next < end; ++next)
            rows.push_back(
                {std::nullopt, next, is_partner[next] ? Likeness::moved : Likeness::only_here, passing[next].decisive});
    };
    for (std::size_t i = 0; i < failing.size(); ++i) {
        if (!chosen[i]) {
            rows.push_back(
                {i, std::nullopt, partners[i] == none ? Likeness::only_here : Likeness::moved, failing[i].decisive});
            continue;
        }
        add_passing_before(partners[i]);
        next = partners[i] + 1;
        rows.push_back({i, partners[i],
                        same_result(failing[i], passing[partners[i]]) ? Likeness::equal : Likeness::differs,
                        failing[i].decisive});
    }
    add_passing_before(passing.size());
    return rows;
}

std::vector<bool> rows_worth_showing(const std::vector<AlignedStep>& rows, std::size_t around) {
    std::vector<bool> shown(rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i) {
        if (rows[i].likeness == Likeness::equal && !rows[i].decisive) continue;
        for (std::size_t j = i - std::min(i, around); j < rows.size() && j <= i + around; ++j) shown[j] = true;
    }
    return shown;
}

}  // namespace raddle
