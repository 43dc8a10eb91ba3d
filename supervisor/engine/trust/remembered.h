// What the user had raddle execute, by fingerprint: a line each in $XDG_STATE_HOME/raddle/trusted (by default
// ~/.local/state/raddle/trusted), which only the user can read and write. It holds no command and no variable, so it
// gives nothing away.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace raddle {

class Remembered {
public:
    Remembered();
    explicit Remembered(std::filesystem::path file) : file_(std::move(file)) {}

    // A file of another user, or one that others can write, counts as empty.
    bool has(const std::vector<std::string>& words) const;
    // False if that cannot be written.
    bool add(const std::vector<std::string>& words) const;

    bool can_be_written() const;

    const std::filesystem::path& file() const { return file_; }

private:
    static constexpr std::size_t most_lines = 4096;  // half of them go when there are more: the oldest

    bool make_directory() const;
    std::vector<std::string> lines() const;

    std::filesystem::path file_;  // empty: the user has no place for it
};

}  // namespace raddle
