// Pages for people, made from the command table.
#pragma once

#include <string>
#include <vector>

#include "cli/command.h"

namespace raddle::cli {

// Its rows of the table of settings.
std::vector<SettingRow> options_of(const Command& command);
// Headings in the order they first come, each with its options.
struct OptionGroup {
    std::string heading;
    std::vector<SettingRow> options;
};
std::vector<OptionGroup> option_groups(const Command& command);
// "-j, --jobs N"
std::string option_head(const SettingRow& row);
// The text, with what holds when it is not given.
std::string option_text(const SettingRow& row);

std::string help_of(const Command& command);
std::string overview();

// Of the known names the one that was probably meant; empty if none is near.
std::string nearest(const std::string& name, const std::vector<std::string>& known);

}  // namespace raddle::cli
