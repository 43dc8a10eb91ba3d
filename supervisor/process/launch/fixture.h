// The surroundings of a program: commands that prepare it, and a working directory of its own. `setup` runs before the
// first execution of a worker. Before each later one the directory is restored. `reset` runs before every execution
// but the first one in a directory, because trials and other workers leave something there, too. Background processes
// of a command (a client, for example) live until the next command or the end of the worker.
#pragma once

#include <sys/types.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "supervisor/process/launch/directory_copy.h"

namespace raddle {

struct FixtureOptions {
    std::string setup;  // for /bin/sh; empty: none
    std::string reset;
    bool copy_directory = false;

    bool any() const { return copy_directory || !setup.empty() || !reset.empty(); }
};

class Fixture {
public:
    // Empty `directory` and no `environment`: the supervisor's own.
    Fixture(FixtureOptions options, const std::string& directory, std::optional<std::vector<std::string>> environment);
    ~Fixture();
    Fixture(const Fixture&) = delete;
    Fixture& operator=(const Fixture&) = delete;

    // The program's working directory; empty: the supervisor's own.
    const std::string& directory() const { return directory_; }
    // Throws BadInput if a command fails.
    void before_execution();
    // The last command left a process running, which may be a client of the program.
    bool has_background() const;

private:
    void run(const char* option, const std::string& command);
    void end_background();

    const FixtureOptions options_;
    std::optional<std::vector<std::string>> environment_;
    std::optional<DirectoryCopy> copy_;
    std::string directory_;
    bool used_ = false;
    pid_t group_ = 0;  // of the last command
};

}  // namespace raddle
