#include "supervisor/process/launch/directory_copy.h"

#include <fcntl.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "supervisor/base/error.h"

namespace raddle {

namespace fs = std::filesystem;

namespace {

constexpr std::uint64_t most_bytes = std::uint64_t{1} << 30;

// mkdtemp makes it accessible to this user only.
fs::path private_folder() {
    std::string name = fs::temp_directory_path() / "raddle-work-XXXXXX";
    if (::mkdtemp(name.data()) == nullptr)
        throw BadInput(name + ": cannot be made: " + std::strerror(errno) + "; set TMPDIR to where there is room");
    return name;
}

}  // namespace

// Copies keep the times of their originals, because programs such as make compare them.
void DirectoryCopy::age(const fs::path& relative) {
    struct stat status {};
    if (::lstat((original_ / relative).c_str(), &status) != 0) return;
    const timespec times[2] = {status.st_atim, status.st_mtim};
    ::utimensat(AT_FDCWD, (path_ / relative).c_str(), times, AT_SYMLINK_NOFOLLOW);
}

// Changes of entries updated the times of their directories.
void DirectoryCopy::age_folders() {
    age("");
    for (const auto& [relative, look] : statuses_)
        if (S_ISDIR(look.mode)) age(relative);
}

DirectoryCopy::DirectoryCopy(const fs::path& original, const std::string& without)
    : original_(fs::absolute(original)), holder_(private_folder()), path_(holder_ / "work"), without_(without) {
    try {
        fs::create_directory(path_);
        copy_all("");
        age_folders();
    } catch (const fs::filesystem_error& error) {
        std::error_code ignored;
        fs::remove_all(holder_, ignored);
        throw BadInput("--workdir-copy: " + std::string(error.what()));
    } catch (...) {
        std::error_code ignored;
        fs::remove_all(holder_, ignored);
        throw;
    }
}

DirectoryCopy::~DirectoryCopy() {
    std::error_code ignored;
    fs::remove_all(holder_, ignored);
}

DirectoryCopy::EntryStatus DirectoryCopy::look_at(const fs::path& path) {
    struct stat status {};
    if (::lstat(path.c_str(), &status) != 0) return {};
    EntryStatus look;
    look.inode = status.st_ino;
    look.mode = status.st_mode;
    // The entries of a directory are compared one by one.
    if (!S_ISDIR(status.st_mode)) {
        look.size = static_cast<std::uint64_t>(status.st_size);
        look.changed = status.st_ctim.tv_sec * std::int64_t{1000000000} + status.st_ctim.tv_nsec;
    }
    return look;
}

void DirectoryCopy::copy_entry(const fs::path& relative) {
    const fs::path from = original_ / relative, to = path_ / relative;
    const fs::file_status status = fs::symlink_status(from);
    if (fs::is_symlink(status)) {
        fs::copy_symlink(from, to);
    } else if (fs::is_directory(status)) {
        fs::create_directory(to);
        fs::permissions(to, status.permissions() | fs::perms::owner_all);
    } else if (fs::is_regular_file(status)) {
        bytes_ += fs::file_size(from);
        if (bytes_ > most_bytes)
            throw BadInput("--workdir-copy: " + original_.string() +
                           " holds more than 1 GiB; give --chdir the part of it that the program needs");
        fs::copy_file(from, to);
    } else if (fs::is_fifo(status)) {
        ::mkfifo(to.c_str(), 0600);
    } else {
        return;  // sockets and devices cannot be copied
    }
    age(relative);
    statuses_[relative] = look_at(to);
}

void DirectoryCopy::copy_all(const fs::path& relative) {
    for (const fs::directory_entry& entry : fs::directory_iterator(original_ / relative)) {
        const fs::path name = relative / entry.path().filename();
        if (name == without_) continue;
        copy_entry(name);
        if (!entry.is_symlink() && entry.is_directory()) copy_all(name);
    }
}

std::size_t DirectoryCopy::restore() {
    std::size_t changes = 0;
    try {
        std::vector<fs::path> surplus;
        for (fs::recursive_directory_iterator at(path_), end; at != end; ++at) {
            const fs::path relative = at->path().lexically_relative(path_);
            if (statuses_.contains(relative)) continue;
            surplus.push_back(at->path());
            at.disable_recursion_pending();
        }
        for (const fs::path& path : surplus) fs::remove_all(path);
        changes += surplus.size();
        bytes_ = 0;
        for (const auto& [relative, look] : statuses_) {
            if (look_at(path_ / relative) == look) continue;
            fs::remove_all(path_ / relative);
            copy_entry(relative);
            ++changes;
        }
        age_folders();
    } catch (const fs::filesystem_error& error) {
        throw BadInput("--workdir-copy: cannot put " + path_.string() + " back: " + error.what());
    }
    return changes;
}

}  // namespace raddle
