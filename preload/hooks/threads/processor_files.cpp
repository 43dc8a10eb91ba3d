#include "preload/hooks/threads/processor_files.h"

#include <cstring>

#include "preload/hooks/system/memory_file.h"
#include "preload/hooks/threads/thread.h"
#include "preload/schedule/scheduler.h"

namespace raddle::processor_files {

namespace {

constexpr std::size_t room = 64 << 10;
char real_content[room], content[room];

// Appends to `content`, as far as there is room.
class Writer {
public:
    Writer& add(const char* text, std::size_t bytes) {
        const std::size_t fits = bytes < room - length_ ? bytes : room - length_;
        std::memcpy(content + length_, text, fits);
        length_ += fits;
        return *this;
    }
    Writer& add(const char* text) { return add(text, std::strlen(text)); }
    Writer& add(unsigned long number) {
        Text<24> text;
        text.add(number);
        return add(text.bytes, text.length);
    }
    bool write_to(int fd) const {
        return raw::call(SYS_pwrite64, fd, content, length_, 0L) == static_cast<long>(length_);
    }

private:
    std::size_t length_ = 0;
};

bool read_real(const char* path) {
    const long fd = raw::call(SYS_openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC, 0L);
    if (raw::failed(fd)) return false;
    std::size_t length = 0;
    for (long got = 1; got > 0 && length + 1 < room; length += got > 0 ? static_cast<std::size_t>(got) : 0)
        got = raw::call(SYS_read, fd, real_content + length, room - 1 - length);
    real_content[length] = 0;
    raw::call(SYS_close, fd);
    return true;
}

bool begins(const char* line, const char* word) { return std::strncmp(line, word, std::strlen(word)) == 0; }
const char* end_of_line(const char* line) {
    const char* end = std::strchr(line, '\n');
    return end != nullptr ? end + 1 : line + std::strlen(line);
}

void write_number(Writer& to, const char* name, unsigned long number) { to.add(name).add(number).add("\n"); }

// The first processor's record, once for each processor, each a core of one socket. The frequency is not read anew.
void write_cpuinfo(Writer& to, unsigned long count) {
    for (unsigned long number = 0; number < count; ++number) {
        for (const char* line = real_content; *line != 0 && *line != '\n'; line = end_of_line(line)) {
            if (begins(line, "processor"))
                write_number(to, "processor\t: ", number);
            else if (begins(line, "physical id"))
                write_number(to, "physical id\t: ", 0);
            else if (begins(line, "siblings"))
                write_number(to, "siblings\t: ", count);
            else if (begins(line, "core id"))
                write_number(to, "core id\t\t: ", number);
            else if (begins(line, "cpu cores"))
                write_number(to, "cpu cores\t: ", count);
            else if (begins(line, "apicid"))
                write_number(to, "apicid\t\t: ", number);
            else if (begins(line, "initial apicid"))
                write_number(to, "initial apicid\t: ", number);
            else if (begins(line, "cpu MHz"))
                to.add("cpu MHz\t\t: 2000.000\n");
            else
                to.add(line, static_cast<std::size_t>(end_of_line(line) - line));
        }
        to.add("\n");
    }
}

void write_list(Writer& to, std::uint64_t mask) {
    bool first = true;
    for (unsigned long from = 0; from < 64; ++from) {
        if ((mask >> from & 1) == 0) continue;
        unsigned long last = from;
        while (last + 1 < 64 && (mask >> (last + 1) & 1) != 0) ++last;
        if (!first) to.add(",");
        first = false;
        to.add(from);
        if (last > from) to.add("-").add(last);
        from = last;
    }
    to.add("\n");
}

void write_status(Writer& to, std::uint64_t mask) {
    for (const char* line = real_content; *line != 0; line = end_of_line(line)) {
        if (begins(line, "Cpus_allowed:")) {
            char digits[17] = {};
            std::size_t at = 16;
            std::uint64_t rest = mask;
            do digits[--at] = "0123456789abcdef"[rest & 15];
            while ((rest >>= 4) != 0);
            to.add("Cpus_allowed:\t").add(digits + at).add("\n");
        } else if (begins(line, "Cpus_allowed_list:")) {
            to.add("Cpus_allowed_list:\t");
            write_list(to, mask);
        } else {
            to.add(line, static_cast<std::size_t>(end_of_line(line) - line));
        }
    }
}

// Processor time is virtual, so each processor shows the same amounts.
void write_stat(Writer& to, unsigned long count) {
    constexpr const char* amounts = " 100 0 100 1000 0 0 0 0 0 0\n";
    to.add("cpu ").add(amounts);
    for (unsigned long number = 0; number < count; ++number) to.add("cpu").add(number).add(amounts);
    for (const char* line = real_content; *line != 0; line = end_of_line(line))
        if (!begins(line, "cpu")) to.add(line, static_cast<std::size_t>(end_of_line(line) - line));
}

enum class Which { none, cpuinfo, stat, status, all, no };

Which which(const char* path) {
    if (path == nullptr || path[0] != '/') return Which::none;
    if (begins(path, "/sys/devices/system/cpu/")) {
        const char* name = path + std::strlen("/sys/devices/system/cpu/");
        if (std::strcmp(name, "online") == 0 || std::strcmp(name, "possible") == 0 || std::strcmp(name, "present") == 0)
            return Which::all;
        return std::strcmp(name, "offline") == 0 ? Which::no : Which::none;
    }
    if (std::strcmp(path, "/proc/cpuinfo") == 0) return Which::cpuinfo;
    if (std::strcmp(path, "/proc/stat") == 0) return Which::stat;
    Text<64> own;
    own.add("/proc/").add(static_cast<unsigned long>(raw::call(SYS_getpid))).add("/status");
    const bool is_own = std::strcmp(path, "/proc/self/status") == 0 ||
                        std::strcmp(path, "/proc/thread-self/status") == 0 || std::strcmp(path, own.bytes) == 0;
    return is_own ? Which::status : Which::none;
}

}  // namespace

bool is_path(const char* path) { return which(path) != Which::none; }

long open(const char* path, int flags) {
    const Which file = which(path);
    const bool has_real = file == Which::cpuinfo || file == Which::stat || file == Which::status;
    if (has_real && !read_real(path)) return -ENOENT;
    const auto count = static_cast<unsigned long>(processor_count());
    const std::uint64_t mine = processors_of(scheduler::current()), all = ~std::uint64_t{0} >> (64 - count);
    return open_memory_file("processors", flags, [&](int fd) {
        Writer to;
        switch (file) {
            case Which::cpuinfo: write_cpuinfo(to, count); break;
            case Which::stat: write_stat(to, count); break;
            case Which::status: write_status(to, mine); break;
            case Which::all: write_list(to, all); break;
            default: to.add("\n");
        }
        return to.write_to(fd);
    });
}

}  // namespace raddle::processor_files
