// The parts of a page that several pages share: its frame, and the section of a bug.
#pragma once

#include <functional>
#include <string>

#include "replay/report/markup.h"
#include "supervisor/search/bug.h"

namespace raddle {

// What frames a page: its title, the script's nonce, and who made it when.
struct HtmlFrame {
    std::string title, nonce, tool, made_at;
    const char* script = nullptr;     // null: that of reports
    const char* connects = "'none'";  // where the script may read from
    std::string remark = "This file needs nothing else: no network, no other file.";
};
// A whole page: the frame around a header and the main part. Its policy lets only the script with the nonce run.
void write_html_page(Markup& page, const HtmlFrame& frame, const std::function<void()>& write_header,
                     const std::function<void()>& write_main);

// `id` must be unique on the page. `is_shown`: the headline of the page already has its sentence.
void write_html_bug(Markup& page, const Bug& bug, const std::string& id, bool is_shown);

}  // namespace raddle
