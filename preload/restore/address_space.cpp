#include "preload/restore/address_space.h"

#include <sys/resource.h>

#include <cstring>

#include "preload/base/raw.h"

namespace raddle::restore {

namespace {

// Reads a file line by line.
class Lines {
public:
    explicit Lines(const char* path) : file_(raw::call(SYS_openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC, 0L)) {}
    // The text holds numbers of the kernel, which differ from process to process. A frame of the program may lie here
    // later.
    ~Lines() {
        if (file_ >= 0) raw::call(SYS_close, file_);
        std::memset(buffer_, 0, sizeof buffer_);
        __asm__ volatile("" ::"r"(buffer_) : "memory");
    }
    Lines(const Lines&) = delete;
    Lines& operator=(const Lines&) = delete;

    bool is_open() const { return file_ >= 0; }
    // Null at the end. A line longer than the buffer is cut off.
    const char* next() {
        for (;;) {
            if (char* end = static_cast<char*>(std::memchr(buffer_ + begin_, '\n', filled_ - begin_))) {
                const char* line = buffer_ + begin_;
                *end = 0;
                begin_ = static_cast<std::size_t>(end - buffer_) + 1;
                if (!skipping_) return line;
                skipping_ = false;
                continue;
            }
            if (begin_ == 0 && filled_ == sizeof buffer_) {
                begin_ = filled_ = 0;
                const bool returned = skipping_;
                skipping_ = true;
                buffer_[sizeof buffer_ - 1] = 0;
                if (!returned) return buffer_;
            }
            std::memmove(buffer_, buffer_ + begin_, filled_ - begin_);
            filled_ -= begin_;
            begin_ = 0;
            const long got = raw::call(SYS_read, file_, buffer_ + filled_, sizeof buffer_ - filled_);
            if (got <= 0) return nullptr;
            filled_ += static_cast<std::size_t>(got);
        }
    }

private:
    long file_;
    std::size_t begin_ = 0, filled_ = 0;
    bool skipping_ = false;
    char buffer_[8192];
};

std::uint64_t hexadecimal(const char*& text) {
    std::uint64_t value = 0;
    for (;; ++text) {
        const char c = *text;
        if (c >= '0' && c <= '9')
            value = value * 16 + static_cast<std::uint64_t>(c - '0');
        else if (c >= 'a' && c <= 'f')
            value = value * 16 + static_cast<std::uint64_t>(c - 'a' + 10);
        else
            return value;
    }
}

// "begin-end rwxp offset device inode path"
bool parse(const char* line, Mapping& mapping) {
    mapping = {};
    mapping.begin = hexadecimal(line);
    if (*line++ != '-') return false;
    mapping.end = hexadecimal(line);
    if (*line++ != ' ') return false;
    for (int i = 0; i < 4; ++i)
        if (line[i] == 0) return false;
    mapping.rights =
        static_cast<std::uint8_t>((line[0] == 'r' ? 4 : 0) | (line[1] == 'w' ? 2 : 0) | (line[2] == 'x' ? 1 : 0));
    mapping.writable = line[1] == 'w';
    mapping.shared = line[3] == 's';
    line += 4;
    for (int field = 0; field < 2; ++field)  // skip offset and device
        while (*++line != ' ')
            if (*line == 0) return false;
    ++line;
    mapping.has_file = *line != '0';
    mapping.is_stack = std::strstr(line, "[stack]") != nullptr;
    return true;
}

}  // namespace

bool for_each_mapping(bool (*take)(const Mapping&, void*), void* argument) {
    Lines lines("/proc/self/maps");
    if (!lines.is_open()) return false;
    while (const char* line = lines.next()) {
        Mapping mapping;
        if (!parse(line, mapping) || !take(mapping, argument)) return false;
    }
    return true;
}

PageMap::PageMap() : file_(raw::call(SYS_openat, AT_FDCWD, "/proc/self/pagemap", O_RDONLY | O_CLOEXEC, 0L)) {}
PageMap::~PageMap() {
    if (file_ >= 0) raw::call(SYS_close, file_);
}

bool PageMap::read(std::uint64_t address, std::uint64_t* entries, std::size_t count) const {
    const auto bytes = static_cast<long>(count * sizeof *entries);
    return raw::call(SYS_pread64, file_, entries, bytes, static_cast<long>(address / page_bytes * sizeof *entries)) ==
           bytes;
}

std::uint64_t faults() {
    rusage usage;
    raw::call(SYS_getrusage, RUSAGE_THREAD, &usage);  // the process has one kernel thread
    return static_cast<std::uint64_t>(usage.ru_minflt) + static_cast<std::uint64_t>(usage.ru_majflt);
}

}  // namespace raddle::restore
