#include "supervisor/engine/trust/remembered.h"

#include <fcntl.h>
#include <pwd.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <boost/uuid/name_generator_sha1.hpp>
#include <boost/uuid/uuid_io.hpp>
#include <cerrno>
#include <sstream>

#include "supervisor/base/descriptor.h"
#include "supervisor/base/files.h"

namespace raddle {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t most_bytes = 1 << 20;

// A trusted command is remembered even where $HOME is missing.
fs::path state_directory() {
    if (fs::path state = user_directory("XDG_STATE_HOME", ".local/state"); !state.empty()) return state;
    const passwd* const user = ::getpwuid(::geteuid());
    return user != nullptr && user->pw_dir[0] == '/' ? fs::path(user->pw_dir) / ".local/state" : fs::path();
}

// A UUID of version 5: SHA-1 of all words, each with its length. Nobody can make another command with the same one.
std::string fingerprint_of(const std::vector<std::string>& words) {
    std::string all = "raddle trusts\n";
    for (const std::string& word : words) all += std::to_string(word.size()) + ":" + word + "\n";
    return boost::uuids::to_string(boost::uuids::name_generator_sha1(boost::uuids::ns::url())(all));
}

class OpenFile {
public:
    OpenFile(const fs::path& path, int flags) : file_(path, flags | O_NOFOLLOW, 0600) {}

    bool is_ours() const {
        struct stat status {};
        return file_ && ::fstat(file_.number(), &status) == 0 && S_ISREG(status.st_mode) && belongs_to_us_alone(status);
    }
    bool lock() const { return ::flock(file_.number(), LOCK_EX) == 0; }
    std::string content() const {
        std::string text(most_bytes, '\0');
        std::size_t read = 0;
        while (read < text.size()) {
            const ssize_t got =
                ::pread(file_.number(), text.data() + read, text.size() - read, static_cast<off_t>(read));
            if (got <= 0) break;
            read += static_cast<std::size_t>(got);
        }
        text.resize(read);
        return text;
    }
    bool replace(const std::string& text) const {
        return ::ftruncate(file_.number(), 0) == 0 && ::lseek(file_.number(), 0, SEEK_SET) == 0 &&
               write_all(file_.number(), text);
    }

private:
    Descriptor file_;
};

std::vector<std::string> lines_in(const std::string& text) {
    std::vector<std::string> lines;
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);) lines.push_back(line);
    return lines;
}

}  // namespace

Remembered::Remembered() {
    if (const fs::path state = state_directory(); !state.empty()) file_ = state / "raddle" / "trusted";
}

std::vector<std::string> Remembered::lines() const {
    if (file_.empty()) return {};
    const OpenFile file(file_, O_RDONLY);
    return file.is_ours() ? lines_in(file.content()) : std::vector<std::string>{};
}

bool Remembered::has(const std::vector<std::string>& words) const {
    const std::vector<std::string> known = lines();
    return std::find(known.begin(), known.end(), fingerprint_of(words)) != known.end();
}

bool Remembered::make_directory() const {
    if (file_.empty()) return false;
    std::error_code error;
    fs::create_directories(file_.parent_path().parent_path(), error);
    return ::mkdir(file_.parent_path().c_str(), 0700) == 0 || errno == EEXIST;
}

bool Remembered::can_be_written() const { return make_directory() && OpenFile(file_, O_RDWR | O_CREAT).is_ours(); }

bool Remembered::add(const std::vector<std::string>& words) const {
    if (has(words)) return true;
    if (!make_directory()) return false;
    const OpenFile file(file_, O_RDWR | O_CREAT);
    if (!file.is_ours() || !file.lock()) return false;
    std::vector<std::string> known = lines_in(file.content());
    known.push_back(fingerprint_of(words));
    if (known.size() > most_lines) known.erase(known.begin(), known.end() - most_lines / 2);
    std::string text;
    for (const std::string& line : known) text += line + "\n";
    return file.replace(text);
}

}  // namespace raddle
