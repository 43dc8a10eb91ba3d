// Options from a file: raddle.toml in the working directory (never from above it), or the one that --config names.
//
//     program = ["./prog", "--size", "3"]     # if the command line names none
//     bound = 2                               # the long options of raddle run, without --
//     keep-going = true
//     env = ["A=1", "B=2"]
//
//     [profile.ci]                            # with --profile ci; what stands here goes before what stands above
//     max-time = "5m"
//
// The command line goes before the profile, the profile before the rest of the file, and the file before what is built
// in. Each command takes what it has a use for; what no command has a use for is refused.
#pragma once

#include "cli/command.h"

namespace raddle::cli {

bool reads_configuration(const Command& command);
// Fills in what the command line leaves open. Throws TomlError or Usage.
void configure(const Command& command, Arguments& arguments);

// Every option, what holds, and where that is from: as a configuration, or as JSON.
std::string configuration_text(const Command& command, const Arguments& arguments, bool json);

}  // namespace raddle::cli
