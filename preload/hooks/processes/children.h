// What is the same for all ways to start a process that goes its own.
#pragma once

#include <spawn.h>
#include <stdio.h>

#include <cstdint>

#include "preload/hooks/names/names.h"

namespace raddle::children {

// While one is started: it may use what this one has, and blocks the signals that the thread blocks, as it believes.
class ChildStart {
public:
    explicit ChildStart(const char* call);
    ~ChildStart();
    ChildStart(const ChildStart&) = delete;
    ChildStart& operator=(const ChildStart&) = delete;

private:
    std::uint64_t mask_before_ = 0;
};

// `really` is posix_spawn or posix_spawnp.
template <typename Really>
int spawn(Really really, pid_t* pid, const char* path, const posix_spawn_file_actions_t* actions, const posix_spawnattr_t* attr,
          char* const* values, char* const* environment) {
    return names::with_words(values, [&](char* const* words) {
        return names::with_words(environment, [&](char* const* entries) {
            return really(pid, names::real_name(path), actions, attr, words, entries);
        });
    });
}

// A stream that popen() made: closing it, by whatever call, waits for the command.
bool is_of_command(FILE* stream);

}  // namespace raddle::children
