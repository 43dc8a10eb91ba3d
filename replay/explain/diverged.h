// A kept divergence in words.
#pragma once

#include <string>
#include <vector>

#include "replay/explain/explanation.h"
#include "replay/schedule/divergence_file.h"
#include "replay/schedule/schedule_file.h"

namespace raddle {

// "at step 9 of 65 T1 did something else: first …, then …"
std::string sentence_of(const DivergenceRecord& record, std::size_t all_steps);
// "choice held 0x5 the first time and 0x2 then, from after step 8"; empty: no word differed.
std::string text_of_words(const DivergenceRecord& record);
// The likely cause, or that there is none to tell.
std::string text_of_cause(const DivergenceRecord& record);
// "--memory races: …" of the setting that helped, or the ones that did not; empty: nothing was tried.
std::string text_of_advice(const DivergenceRecord& record);

// `file` holds the first execution.
Explanation explanation_of(const DivergenceRecord& record, const ScheduleFile& file);
// A few lines for the report of a run.
std::string brief_text_of(const DivergenceRecord& record);

}  // namespace raddle
