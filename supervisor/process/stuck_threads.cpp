#include "supervisor/process/stuck_threads.h"

#include <unistd.h>

#include <csignal>

#include "supervisor/process/channel/copy_once.h"
#include "supervisor/process/channel/read_channel.h"
#include "supervisor/process/launch/launch.h"
#include "supervisor/process/outside/look.h"

namespace raddle {

std::shared_ptr<const Standing> stuck_threads(const channel::Channel& channel, pid_t process,
                                              const ProcessOptions& options, const std::string& executable) {
    WhatToLookAt what;
    what.process = process;
    what.tables = once(channel.tables);
    what.pending = read_pending(channel);
    what.executable = executable;
    what.directory = options.directory;
    what.hidden = options.shim.empty() ? default_shim() : options.shim;
    return std::make_shared<Standing>(look_from_outside(what));
}

void ask_for_stack(pid_t process, const channel::StackArea& stacks) {
    ::kill(process, SIGSYS);
    for (int waited = 0; waited < 200 && channel::load(stacks.crashed) == 0; ++waited) ::usleep(1000);
}

std::string first_of(const std::shared_ptr<const Standing>& standing) {
    const std::vector<std::string> lines = standing ? lines_of(*standing) : std::vector<std::string>();
    return lines.empty() ? "" : "; " + lines.front();
}

}  // namespace raddle
