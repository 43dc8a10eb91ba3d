// The picture of an execution: a column for each thread, time downwards, locks as bars, arrows for happens-before, and
// the waits at the bottom. It is a grid of the style sheet, so it fits any width and needs no script.
#pragma once

#include "replay/explain/explanation.h"
#include "replay/report/markup.h"

namespace raddle {

// `name` must be unique among the pictures of the page: "bug1".
void draw_timeline(Markup& page, const Explanation& explanation, const std::string& name);

// "T1" as a small label in the thread's colour.
void write_thread(Markup& page, const Explanation& explanation, ThreadId thread);
// A row of a list of steps.
void write_taken_row(Markup& page, const Explanation& explanation, const TakenStep& step, std::size_t at);
void write_snippet(Markup& page, const Snippet& snippet);
// At most `most` frames, numbered.
void write_frames(Markup& page, const Stack& stack, std::size_t most);

}  // namespace raddle
