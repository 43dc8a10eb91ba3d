// A report in the trace event format of Perfetto and chrome://tracing: a process for each bug and one for the nearest
// passing execution, a track for each thread and each lock of a thread, arrows for happens-before. Time is only the
// order of the steps.
#pragma once

#include <string>

#include "replay/report/campaign_report.h"

namespace raddle {

std::string perfetto_of(const CampaignReport& report);

}  // namespace raddle
