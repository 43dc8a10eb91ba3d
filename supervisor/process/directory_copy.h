// A private copy of a directory that can be put back as it was: whatever was changed, made or removed in it since is
// found by what the file system says of each entry (inode, size, times), so an untouched file costs one look.
#pragma once

#include <sys/stat.h>

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>

namespace raddle {

class DirectoryCopy {
public:
    // Throws BadInput. Entries named in `without`, at the top of it, are not copied.
    DirectoryCopy(const std::filesystem::path& original, const std::string& without);
    ~DirectoryCopy();
    DirectoryCopy(const DirectoryCopy&) = delete;
    DirectoryCopy& operator=(const DirectoryCopy&) = delete;

    const std::filesystem::path& path() const { return path_; }
    // Gives how many entries had to be put back or removed.
    std::size_t restore();

private:
    struct Look {
        std::uint64_t inode = 0, size = 0;
        std::int64_t changed = 0;  // the kernel's own time stamp: nobody can set it
        mode_t mode = 0;
        friend bool operator==(const Look&, const Look&) = default;
    };

    static Look look_at(const std::filesystem::path& path);
    void age(const std::filesystem::path& relative);
    void age_folders();
    void copy_entry(const std::filesystem::path& relative);
    void copy_all(const std::filesystem::path& relative);

    std::filesystem::path original_, holder_, path_;
    std::string without_;
    std::map<std::filesystem::path, Look> looks_;  // by path relative to the copy; parents before what is in them
    std::uint64_t bytes_ = 0;
};

}  // namespace raddle
