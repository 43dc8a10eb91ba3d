// A private copy of a directory that can be restored. The inode, size and times of each entry show whether it was
// changed, made or removed, so an untouched file costs one stat().
#pragma once

#include <sys/stat.h>

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>

namespace raddle {

class DirectoryCopy {
public:
    // Throws BadInput. Skips the top-level entries named in `without`.
    DirectoryCopy(const std::filesystem::path& original, const std::string& without);
    ~DirectoryCopy();
    DirectoryCopy(const DirectoryCopy&) = delete;
    DirectoryCopy& operator=(const DirectoryCopy&) = delete;

    const std::filesystem::path& path() const { return path_; }
    // Returns the number of restored and removed entries.
    std::size_t restore();

private:
    struct EntryStatus {
        std::uint64_t inode = 0, size = 0;
        std::int64_t changed = 0;  // the kernel's change time, which no program can set
        mode_t mode = 0;
        friend bool operator==(const EntryStatus&, const EntryStatus&) = default;
    };

    static EntryStatus look_at(const std::filesystem::path& path);
    void age(const std::filesystem::path& relative);
    void age_folders();
    void copy_entry(const std::filesystem::path& relative);
    void copy_all(const std::filesystem::path& relative);

    std::filesystem::path original_, holder_, path_;
    std::string without_;
    std::map<std::filesystem::path, EntryStatus>
        statuses_;  // by path relative to the copy; directories before their entries
    std::uint64_t bytes_ = 0;
};

}  // namespace raddle
