// --suppressions: which bugs are not to be reported.
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

// Says which have expired. Throws BadInput.
Suppressions suppressions_of(const Settings& settings, const Notices& say);

// Whether one of them is about this bug of the subject, which is asked for only if it matters. Any thread may ask.
class Suppressed {
public:
    Suppressed(const Suppressions& suppressions, std::function<Subject()> subject) : suppressions_(suppressions), subject_(std::move(subject)) {}
    bool operator()(Verdict verdict, const std::string& key);

private:
    const Suppressions& suppressions_;
    const std::function<Subject()> subject_;
    std::mutex lock_;
    std::optional<Symbolizer> names_;
};

// Bugs that were kept from before may be suppressed now.
void set_suppressed_apart(CampaignResult& result, Suppressed& suppressed);

}  // namespace raddle
