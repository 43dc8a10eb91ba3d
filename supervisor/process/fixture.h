// What a program needs around it: commands that prepare it, and a working directory of its own. Before the first
// execution of a worker `setup` runs, before each later one the directory is put back and `reset` runs. What a command
// leaves running in the background (a client, say) lives until the next command, or until the worker ends.
#pragma once

#include <sys/types.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "supervisor/process/directory_copy.h"

namespace raddle {

struct SurroundingsOptions {
    std::string setup;  // for /bin/sh; empty: none
    std::string reset;
    bool copy_directory = false;

    bool any() const { return copy_directory || !setup.empty() || !reset.empty(); }
};

class Surroundings {
public:
    // `directory` empty: ours. `environment`: none, ours.
    Surroundings(SurroundingsOptions options, const std::string& directory,
                 std::optional<std::vector<std::string>> environment);
    ~Surroundings();
    Surroundings(const Surroundings&) = delete;
    Surroundings& operator=(const Surroundings&) = delete;

    // Where the program has to run; empty: where we do.
    const std::string& directory() const { return directory_; }
    // Throws BadInput if a command fails.
    void before_execution();
    // The last command left something running: it may be a client of the program.
    bool has_background() const;

private:
    void run(const char* option, const std::string& command);
    void end_background();

    const SurroundingsOptions options_;
    std::optional<std::vector<std::string>> environment_;
    std::optional<DirectoryCopy> copy_;
    std::string directory_;
    bool used_ = false;
    pid_t group_ = 0;  // of the last command
};

}  // namespace raddle
