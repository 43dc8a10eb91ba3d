// Style sheet and script of the page of html_report.h. They are our own text and go into the page unescaped.
#pragma once

namespace raddle {

extern const char* const html_style;
extern const char* const html_script;

}  // namespace raddle
