// A report in the trace event format that Perfetto and chrome://tracing open: a process for each bug and one for the
// nearest execution that passes, a track for each thread and for each lock a thread held, arrows for what happens before
// what. A step takes a microsecond: time is the order of steps.
#pragma once

#include <string>

#include "replay/report/campaign_report.h"

namespace raddle {

std::string perfetto_of(const CampaignReport& report);

}  // namespace raddle
