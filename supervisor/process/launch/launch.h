// Starts a program under the shim, without address randomisation, in a session of its own, to be killed with us.
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

#include "supervisor/process/launch/process_options.h"

namespace raddle {

struct Launch {
    std::string path;      // of the executable
    std::string stand_in;  // our library that takes the place of one with the same name; empty: none
    int channel = -1;      // descriptor of the shared memory
    int code = -1;         // descriptor of the code description, if any
    int input = -1;
    int output = -1;
    int errors = -1;
    bool bind_now =
        false;  // bind all calls at start, so that lazy binding leaves no traces in the first execution only
    bool is_origin = false;  // the process shall be an origin (origin.h), and `channel` is its socket
};

// The executable that argv[0] names, found through PATH. Throws CannotRun.
std::string find_executable(const std::string& name);

// Our library in place of libtsan, for a program built with -fsanitize=thread; empty for others. Throws BadInput.
std::string stand_in_for(const std::string& executable, const std::string& shim);

// The environment that the target shall see.
std::vector<std::string> wanted_environment(const ProcessOptions& options);

// Whether the user's environment binds at start already.
bool asks_to_bind_now(const ProcessOptions& options);

// The channel's descriptor number in the target; the code description has the number below. The target's own begin at
// 3.
int channel_in_target();
std::vector<std::string> environment_in_target(const ProcessOptions& options, const Launch& how);

// How long the addresses of a process stay the same.
enum class Addresses {
    fixed,           // for ever: the system let us switch address randomisation off
    of_this_run,     // in all processes that this process of raddle launches
    of_each_launch,  // they differ from launch to launch
};

struct Launched {
    pid_t process;
    Addresses addresses;
};
// Starts the program by exec; launch() is in origin.h. Throws CannotRun.
Launched execute(const ProcessOptions& options, const Launch& how);
// For the calling process and its children; async-signal-safe. False if the system does not permit it.
bool switch_off_address_randomisation();

// The path of the shim if the options name none. Throws BadInput.
std::string default_shim();

}  // namespace raddle
