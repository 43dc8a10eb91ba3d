// Lets one process at a time write a campaign. The lock ends with its owner, even after SIGKILL, so no stale lock can
// remain.
#pragma once

#include <filesystem>

#include "store/store_error.h"

namespace raddle {

class DirectoryLock {
public:
    // Throws a StoreError that names the owner.
    explicit DirectoryLock(const std::filesystem::path& directory);
    ~DirectoryLock();
    DirectoryLock(const DirectoryLock&) = delete;
    DirectoryLock& operator=(const DirectoryLock&) = delete;

private:
    int descriptor_ = -1;
};

// "process 4711 (raddle run …)"; empty if the lock is free.
std::string holder_of(const std::filesystem::path& directory);

}  // namespace raddle
