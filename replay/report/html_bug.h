// The parts of a page that several pages share: its head, and the section of a bug.
#pragma once

#include <string>

#include "replay/report/markup.h"
#include "supervisor/search/bug.h"

namespace raddle {

// Title, style, and a policy that lets only the script with this nonce run.
void write_html_head(Markup& page, const std::string& title, const std::string& nonce);

// `id` must be unique on the page. `is_shown`: the headline of the page already has its sentence.
void write_html_bug(Markup& page, const Bug& bug, const std::string& id, bool is_shown);

}  // namespace raddle
