// What a stored campaign says of its progress, for raddle status and raddle serve.
#pragma once

#include <string>

#include "store/campaign_store.h"
#include "supervisor/campaign/observer.h"

namespace raddle::cli {

CampaignProgress as_told(const StoredProgress& stored, std::size_t bugs);
// Without divergences.
std::size_t real_bugs(const std::vector<Bug>& bugs);
// "every schedule with at most 2 preemptions"
std::string asked_text(const LastRun& run);
// "12 executions, 12 graphs; every schedule with at most 1 preemption"
std::string known_text(const Coverage& coverage, bool has_focus);

}  // namespace raddle::cli
