// Who may write a campaign: one process at a time. The lock ends with the process that holds it, however it ends, so
// there are no stale ones to clear away.
#pragma once

#include <filesystem>

#include "store/store_error.h"

namespace raddle {

class DirectoryLock {
public:
    // Throws StoreError that says who holds it.
    explicit DirectoryLock(const std::filesystem::path& directory);
    ~DirectoryLock();
    DirectoryLock(const DirectoryLock&) = delete;
    DirectoryLock& operator=(const DirectoryLock&) = delete;

private:
    int descriptor_ = -1;
};

// "process 4711 (raddle run …)", or empty if nobody does.
std::string holder_of(const std::filesystem::path& directory);

}  // namespace raddle
