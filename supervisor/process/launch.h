// Starting a program under the shim: address randomisation off, in a session of its own, to be killed with us.
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

#include "supervisor/process/process_target.h"

namespace raddle {

struct Launch {
    std::string path;       // of the executable
    std::string stand_in;   // a library of ours in place of the one by its name; empty: none
    int channel = -1;       // descriptor of the shared memory
    int code = -1;          // descriptor of the description of its code, if there is one
    int input = -1;
    int output = -1;
    int errors = -1;
    bool bind_now = false;  // all calls are bound at once, so that what is bound on first use leaves no traces later
};

// The executable argv[0] names, by PATH. Throws CannotRun.
std::string find_executable(const std::string& name);

// Our library in place of the one that a program built with -fsanitize=thread asks for; empty for others. Throws BadInput.
std::string stand_in_for(const std::string& executable, const std::string& shim);

// As the user means it: what the target is to see.
std::vector<std::string> wanted_environment(const ProcessOptions& options);

// Whether the user wants that already.
bool asks_to_bind_now(const ProcessOptions& options);

// The number of the channel's descriptor in the target, that of the code is one less: its own begin at 3.
int channel_in_target();
std::vector<std::string> environment_in_target(const ProcessOptions& options, const Launch& how);

// Its process id. Throws CannotRun.
pid_t launch(const ProcessOptions& options, const Launch& how);

}  // namespace raddle
