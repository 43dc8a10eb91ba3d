// --suppressions: the bugs to leave out of reports.
#pragma once

#include <functional>
#include <mutex>
#include <optional>

#include "replay/schedule/suppressions.h"
#include "supervisor/campaign/campaign.h"
#include "supervisor/engine/notices.h"
#include "supervisor/engine/program/symbolizer.h"
#include "supervisor/engine/settings/settings.h"

namespace raddle {

// Says which ones have expired. Throws BadInput.
Suppressions suppressions_of(const Settings& settings, const Notices& say);

// Tells whether a suppression covers a bug of the subject, which is computed only if it matters. Any thread may ask.
class Suppressed {
public:
    Suppressed(const Suppressions& suppressions, std::function<Subject()> subject)
        : suppressions_(suppressions), subject_(std::move(subject)) {}
    bool operator()(Verdict verdict, const std::string& key);

private:
    const Suppressions& suppressions_;
    const std::function<Subject()> subject_;
    std::mutex lock_;
    std::optional<Symbolizer> names_;
};

// Moves suppressed bugs out of the list, also kept ones of earlier runs.
void set_suppressed_apart(CampaignResult& result, Suppressed& suppressed);

}  // namespace raddle
