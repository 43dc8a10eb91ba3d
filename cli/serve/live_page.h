// The page of raddle serve: progress, bounds and bugs of a campaign, as stored at this moment.
#pragma once

#include <string>

#include "store/campaign_store.h"

namespace raddle::cli {

// `base` is the beginning of all paths: "/key". The page reads itself again each second while the campaign runs.
std::string live_page(const CampaignStore& store, const std::string& base, const std::string& nonce);

}  // namespace raddle::cli
