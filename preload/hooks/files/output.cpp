#include "preload/hooks/files/output.h"

#include <sys/stat.h>

#include <cstring>

#include "preload/intercept/describe.h"
#include "preload/intercept/real.h"
#include "preload/restore/undo.h"
#include "supervisor/model/tool_objects.h"

namespace raddle::output {

namespace {

struct File {
    std::uint64_t device = 0, number = 0;
    bool operator==(const File&) const = default;
};

File standard[2];           // standard output and error, at the start
bool are_one = false;       // one pipe or file: 2>&1
bool has_others = false;    // other descriptors may lead there
bool exit_flushed = false;  // by flush_before_end()
bool has_no_buffer[2];      // exit() took the buffer of stdout, stderr

constexpr std::uint32_t regular_files = 3;

constexpr std::uint32_t bit_of(std::uint32_t number) { return number == 0 ? 0 : 1u << (number - 1); }

// False for a number that is not open.
bool stat_of(int fd, struct stat& about) { return !raw::failed(raw::call(SYS_fstat, fd, &about)); }

bool is_ordered() { return scheduler::shared()->settings.orders_output != 0; }

bool are_files_judged() { return (scheduler::shared()->settings.orders_output & bit_of(regular_files)) != 0; }

// 0: none that matters; otherwise which one. A closed number counts as open: the call fails, in order with the others.
std::uint32_t number_of(int fd) {
    const bool is_standard = fd == 1 || fd == 2;
    if (!is_standard && !has_others && !is_ordered()) return 0;
    struct stat about;
    if (!stat_of(fd, about)) return is_standard ? static_cast<std::uint32_t>(fd) : 0;
    const File file{about.st_dev, about.st_ino};
    if (!are_one && is_standard && file == standard[fd - 1]) return static_cast<std::uint32_t>(fd);
    if (file == standard[0]) return 1;
    if (file == standard[1]) return 2;
    return S_ISREG(about.st_mode) && are_files_judged() ? regular_files : 0;
}

bool is_judged(std::uint32_t number) {
    const std::uint32_t judged = scheduler::shared()->settings.orders_output;
    return (judged & (are_one && number != regular_files ? 3 : bit_of(number))) != 0;
}

void take_turn(std::uint32_t number) {
    Action turn = of(Operation::output);
    turn.object = object_in(Space::tool, number, tool::output);
    turn.second = process_object();
    act(turn);
}

// A free write, between two events of its thread.
void note(std::uint32_t number) {
    channel::Result& result = scheduler::shared()->result;
    const Thread& me = scheduler::current();
    const channel::FreeOutput now{me.id, scheduler::machine().thread(me.slot).events, number};
    channel::FreeOutput* const noted = scheduler::shared()->outputs;
    const std::uint32_t count = result.output_count;
    if (count > channel::most_outputs) return;
    if (count > 0 && std::memcmp(&noted[count - 1], &now, sizeof now) == 0) return;
    if (count < channel::most_outputs) noted[count] = now;
    result.output_count = count + 1;  // most_outputs + 1: there were more
}

bool counts() { return phase == Phase::scheduled && scheduler::is_target(); }

// In the order of the files, so that each is flushed in its own turn.
void take_turns_to_flush() {
    for (std::uint32_t number = 1; number <= 2; ++number) {
        if (!is_judged(number) || (number == 2 && are_one)) continue;
        take_turn(number);
        real::fflush(number == 1 ? stdout : stderr);
    }
    if (!are_files_judged()) return;
    take_turn(regular_files);
    real::fflush(nullptr);
}

}  // namespace

void begin() {
    struct stat about[2];
    for (int i = 0; i < 2; ++i)
        standard[i] = stat_of(i + 1, about[i]) ? File{about[i].st_dev, about[i].st_ino} : File{};
    // Output to /dev/null has no order.
    are_one = standard[0] == standard[1] && standard[0] != File{} && !S_ISCHR(about[0].st_mode);
}

bool is_standard(const struct stat& status) {
    const File file{status.st_dev, status.st_ino};
    return file == standard[0] || file == standard[1];
}

void duplicated(int fd) { has_others = has_others || fd == 1 || fd == 2; }

void opened(const char* path) {
    if (std::strncmp(path, "/dev/", 5) == 0 || std::strncmp(path, "/proc/", 6) == 0) has_others = true;
}

void announce(int fd) {
    undo::used_outside();
    if (!counts() || fd < 0) return;
    if (!is_ordered()) {
        if ((fd == 1 || fd == 2) && !has_others && !are_one) return note(static_cast<std::uint32_t>(fd));
        if (fd != 1 && fd != 2 && !has_others) return;
    }
    const int error = errno;
    if (const std::uint32_t number = number_of(fd); number != 0) {
        if (is_judged(number))
            take_turn(number);
        else
            note(number);
    }
    errno = error;
}

void announce(const FILE* stream) {
    if (stream != nullptr) announce(stream->_fileno);
}

void wrote(FILE* stream) {
    if (!exit_flushed) [[likely]]
        return;
    if (!(stream == stdout && has_no_buffer[0]) && !(stream == stderr && has_no_buffer[1])) return;
    const int error = errno;
    real::fflush(stream);
    errno = error;
}

int flush_all() {
    if (counts() && is_ordered())
        take_turns_to_flush();
    else if (counts())
        announce(1);
    return real::fflush(nullptr);
}

// libc's exit() also takes the buffers of streams that were used, so later output to them is written at once. A stream
// that is used for the first time after that keeps its buffer, and the end of the process loses the contents.
bool flush_before_end() {
    if (!counts()) return false;
    if (!is_ordered()) {
        for (int fd = 1; fd <= 2; ++fd) announce(fd);  // what others write later may be cut off
        return false;
    }
    take_turns_to_flush();
    real::fflush(nullptr);
    if (!exit_flushed) {
        has_no_buffer[0] = stdout->_mode != 0;
        has_no_buffer[1] = stderr->_mode != 0;
    }
    exit_flushed = true;
    return true;
}

}  // namespace raddle::output
