// Options from a file: raddle.toml in the working directory (never from above it), or the one that --config names.
//
//     program = ["./prog", "--size", "3"]     # if the command line names none
//     bound = 2                               # the long options of raddle run, without --
//     keep-going = true
//     env = ["A=1", "B=2"]
//
//     [profile.ci]                            # with --profile ci; overrides the lines above
//     max-time = "5m"
//
// The command line overrides the profile, the profile overrides the rest of the file, and the file overrides the
// defaults. Each command takes the options it knows; options unknown to all commands are refused.
#pragma once

#include "cli/command.h"

namespace raddle::cli {

bool reads_configuration(const Command& command);
// Adds options from the file to those of the command line. Throws ConfigurationError or Usage.
void configure(const Command& command, Arguments& arguments);

// Every option with its value and its origin: as a configuration, or as JSON.
std::string configuration_text(const Command& command, const Arguments& arguments, bool json);

}  // namespace raddle::cli
