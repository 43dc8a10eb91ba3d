// Pages for people, made from the command table.
#pragma once

#include <string>
#include <vector>

#include "cli/command.h"

namespace raddle::cli {

// Its rows of the table of settings.
std::vector<SettingRow> options_of(const Command& command);
// Headings in order of first appearance, each with its options.
struct OptionGroup {
    std::string heading;
    std::vector<SettingRow> options;
};
std::vector<OptionGroup> option_groups(const Command& command);
// "-j, --jobs N"
std::string option_head(const SettingRow& row);
// The text, with the default.
std::string option_text(const SettingRow& row);

// The common options, or all.
std::string help_of(const Command& command, bool in_full);
std::string overview();

// The known name that was probably meant; empty if none is near.
std::string nearest(const std::string& name, const std::vector<std::string>& known);

}  // namespace raddle::cli
