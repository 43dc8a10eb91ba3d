// Shared code of all functions that start an independent child process.
#pragma once

#include <spawn.h>
#include <stdio.h>

#include <cstdint>

#include "preload/hooks/names/names.h"

namespace raddle::children {

// Exists while a child is started. The child inherits the descriptors, and the signal mask that the thread believes
// to have.
class ChildStart {
public:
    explicit ChildStart(const char* call);
    ~ChildStart();
    ChildStart(const ChildStart&) = delete;
    ChildStart& operator=(const ChildStart&) = delete;

private:
    std::uint64_t mask_before_ = 0;
};

// `really`: posix_spawn or posix_spawnp.
template <typename Really>
int spawn(Really really, pid_t* pid, const char* path, const posix_spawn_file_actions_t* actions,
          const posix_spawnattr_t* attr, char* const* values, char* const* environment) {
    return names::with_words(values, [&](char* const* words) {
        return names::with_words(environment, [&](char* const* entries) {
            return really(pid, names::real_name(path), actions, attr, words, entries);
        });
    });
}

// Whether popen() made this stream. Closing it then waits for the command.
bool is_command_stream(FILE* stream);

}  // namespace raddle::children
