// The picture of an execution in a report: a column a thread, time going down, locks as bars, arrows for what happens
// before what, and under it who waits for whom. All places are computed here, so that the picture needs no script.
#pragma once

#include "replay/explain/explanation.h"
#include "replay/report/markup.h"

namespace raddle {

// `name` is unlike that of any other picture on the page: "bug1".
void draw_timeline(Markup& page, const Explanation& explanation, const std::string& name);

// "T1" as a small label in the colour of its thread.
void write_thread(Markup& page, const Explanation& explanation, ThreadId thread);
void write_snippet(Markup& page, const Snippet& snippet);
// At most `most` frames, numbered.
void write_frames(Markup& page, const Stack& stack, std::size_t most);

}  // namespace raddle
