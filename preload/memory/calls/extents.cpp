#include "preload/memory/calls/extents.h"

#include <aio.h>
#include <arpa/inet.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <grp.h>
#include <ifaddrs.h>
#include <mqueue.h>
#include <net/if.h>
#include <netdb.h>
#include <netinet/ether.h>
#include <poll.h>
#include <pthread.h>
#include <pwd.h>
#include <regex.h>
#include <sched.h>
#include <spawn.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/msg.h>
#include <sys/resource.h>
#include <sys/sem.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/statvfs.h>
#include <sys/sysinfo.h>
#include <sys/time.h>
#include <sys/times.h>
#include <sys/uio.h>
#include <sys/utsname.h>
#include <termios.h>
#include <unistd.h>
#include <utime.h>

#include <csignal>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <cwchar>

#include "preload/memory/calls/unfollowed_calls.h"
#include "supervisor/protocol/access_mode.h"

namespace raddle::memory::effects {

namespace {

// Every character that the text of a number may have, with the blanks before it.
bool is_of_number(std::uint32_t here) {
    return (here >= '0' && here <= '9') || (here >= 'a' && here <= 'z') || (here >= 'A' && here <= 'Z') ||
           here == '+' || here == '-' || here == '.' || here == ',' || here == '_' || here == '(' || here == ')';
}
bool is_blank(std::uint32_t here) { return here == ' ' || (here >= 9 && here <= 13); }

template <typename Character>
std::uint64_t characters_of_number(const Character* text) {
    std::uint64_t count = 0;
    while (is_blank(static_cast<std::uint32_t>(text[count]))) ++count;
    while (is_of_number(static_cast<std::uint32_t>(text[count]))) ++count;
    return count + 1;  // the character behind ends the number
}

std::uint64_t bytes_of_number(std::uint64_t address, bool wide_characters) {
    if (wide_characters) return characters_of_number(reinterpret_cast<const wchar_t*>(address)) * sizeof(wchar_t);
    return characters_of_number(reinterpret_cast<const unsigned char*>(address));
}

// UTF-8 tells the length in the first byte. Other encodings of several bytes are read a little too far at most.
std::uint64_t bytes_of_character(std::uint64_t address, std::uint64_t most) {
    if (most == 0) return 0;
    const unsigned char first = *reinterpret_cast<const unsigned char*>(address);
    const std::uint64_t bytes = first < 0xc0 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
    return bytes < most ? bytes : most;
}

std::uint64_t bytes_of_family(std::uint64_t family) {
    constexpr std::uint64_t inet = 4, inet6 = 16;
    return family == AF_INET ? inet : family == AF_INET6 ? inet6 : 0;
}

std::uint64_t bytes_of_command(std::uint64_t command) {
    switch (static_cast<int>(command)) {
        case F_GETLK:
        case F_SETLK:
        case F_SETLKW:
        case F_OFD_GETLK:
        case F_OFD_SETLK:
        case F_OFD_SETLKW: return sizeof(struct flock);
        case F_GETOWN_EX:
        case F_SETOWN_EX: return sizeof(f_owner_ex);
        default: return 0;
    }
}

// Newer requests tell the size and the direction. The old ones have numbers without a meaning.
std::uint64_t bytes_of_request(std::uint64_t request, std::uint8_t mode) {
    struct Request {
        std::uint64_t number, bytes;
        std::uint8_t mode;
    };
    constexpr Request old[] = {
        {TIOCGWINSZ, sizeof(winsize), writes},
        {TIOCSWINSZ, sizeof(winsize), reads},
        {FIONREAD, sizeof(int), writes},
        {FIONBIO, sizeof(int), reads},
        {FIOASYNC, sizeof(int), reads},
        {TCGETS, 36, writes},
        {TCSETS, 36, reads},
        {TCSETSW, 36, reads},
        {TCSETSF, 36, reads},
        {TIOCGPGRP, sizeof(int), writes},
        {TIOCSPGRP, sizeof(int), reads},
        {TIOCOUTQ, sizeof(int), writes},
        {FIOCLEX, 0, 0},
        {FIONCLEX, 0, 0},
        {TIOCNOTTY, 0, 0},
        {TIOCSCTTY, 0, 0},
    };
    request &= 0xffffffff;
    for (const Request& one : old)
        if (one.number == request) return one.mode == mode ? one.bytes : 0;
    if (_IOC_DIR(request) == _IOC_NONE) {
        unfollowed::note("ioctl");
        return 0;
    }
    const bool is_wanted = (_IOC_DIR(request) & (mode == writes ? _IOC_READ : _IOC_WRITE)) != 0;
    return is_wanted ? _IOC_SIZE(request) : 0;
}

}  // namespace

const Row table[] = {
#define RADDLE_EFFECT(name, mode, argument, extent, when) {mode, argument, extent, When::when},
#include "preload/memory/calls/call_effects.def"
};

bool is_true(When when, std::uint64_t result, std::uint64_t address) {
    const auto number = static_cast<std::int64_t>(result);
    switch (when) {
        case When::before: return false;
        case When::early:
        case When::if_zero: return number == 0;
        case When::if_not_zero: return number != 0;
        case When::if_not_negative: return number >= 0;
        case When::if_positive: return number > 0;
        case When::if_not_null: return number != 0;
        case When::if_itself: return result == address;
        case When::if_static:
        case When::always: return true;
    }
    return false;
}

std::uint64_t bytes_of_wide_text(std::uint64_t address, std::uint64_t most) {
    const auto* const text = reinterpret_cast<const wchar_t*>(address);
    std::uint64_t count = 0;
    while (count < most && text[count] != 0) ++count;
    return (count < most ? count + 1 : count) * sizeof(wchar_t);
}

std::uint64_t bytes_of_text(std::uint64_t address, bool has_wide_characters) {
    return has_wide_characters ? bytes_of_wide_text(address, no_end)
                               : std::strlen(reinterpret_cast<const char*>(address)) + 1;
}

std::uint64_t bytes_of(const Row& row, std::uint64_t address, const std::uint64_t* arguments) {
    constexpr std::uint64_t page = 4096, bits_of_a_word = 64;
    const Extent& extent = row.extent;
    const std::uint64_t times = extent.a != 0 ? arguments[extent.a - 1] : 1;
    switch (extent.kind) {
        case Kind::bytes: return extent.size;
        case Kind::given: return times;
        case Kind::product:
        case Kind::items: return times * arguments[extent.b - 1];
        case Kind::array:
        case Kind::elements: return times * extent.size;
        case Kind::bits: return (times + bits_of_a_word - 1) / bits_of_a_word * sizeof(std::uint64_t);
        case Kind::result:
        case Kind::text_of: return extent.a != 0 ? times : extent.size;
        case Kind::wide_text_of: return times * extent.width;
        case Kind::length_at: return times != 0 ? value_at<socklen_t>(times) : 0;
        case Kind::text: return bytes_of_text(address, false);
        case Kind::wide_text: return bytes_of_wide_text(address, extent.a != 0 ? times : no_end);
        case Kind::number: return bytes_of_number(address, false);
        case Kind::wide_number: return bytes_of_number(address, true);
        case Kind::character: return bytes_of_character(address, times);
        case Kind::family: return bytes_of_family(times);
        case Kind::pages: return (times + page - 1) / page;
        case Kind::command: return bytes_of_command(times);
        case Kind::letter:
        case Kind::letter_taken: return sizeof(long) + times;
        case Kind::if_command: return static_cast<std::uint32_t>(times) == extent.part ? extent.size : 0;
        case Kind::request: return bytes_of_request(times, row.mode);
        default: return 0;  // these are not one piece of memory: effects.cpp
    }
}

}  // namespace raddle::memory::effects
