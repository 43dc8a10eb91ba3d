// --suppressions: which bugs are not to be reported.
#pragma once

#include <functional>
#include <mutex>
#include <optional>

#include "cli/command.h"
#include "cli/place_names.h"
#include "replay/schedule/suppressions.h"
#include "supervisor/campaign/campaign.h"

namespace raddle::cli {

// Says which have expired. Throws BadInput.
Suppressions suppressions_of(const Arguments& arguments);

// Whether one of them is about this bug of the subject, which is asked for only if it matters. Any thread may ask.
class Suppressed {
public:
    Suppressed(const Suppressions& suppressions, std::function<Subject()> subject) : suppressions_(suppressions), subject_(std::move(subject)) {}
    bool operator()(Verdict verdict, const std::string& place);

private:
    const Suppressions& suppressions_;
    const std::function<Subject()> subject_;
    std::mutex lock_;
    std::optional<PlaceNames> names_;
};

// Bugs that were kept from before may be suppressed now.
void set_suppressed_apart(CampaignResult& result, Suppressed& suppressed);

}  // namespace raddle::cli
