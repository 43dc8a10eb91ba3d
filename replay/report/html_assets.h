// What makes the page of html_report.h look and move as it does. Of ours, and written into it as it stands.
#pragma once

namespace raddle {

extern const char* const html_style;
extern const char* const html_script;

}  // namespace raddle
