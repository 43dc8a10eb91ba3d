#include "preload/hooks/names/names.h"

#include <cstring>

#include "preload/base/text.h"
#include "preload/hooks/threads/identity.h"

namespace raddle::names {

namespace {

struct Number {
    int seen = 0;
    Text<16> real;
};
Number numbers[4];  // the process, and children that were followed
unsigned count = 0;

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

// The number at this position, or -1. A number with a letter behind it does not count: it may be a part of a name
// from mkstemp.
long number_at(const char* at, std::size_t& digits) {
    long value = 0;
    digits = 0;
    for (; is_digit(at[digits]) && digits < 10; ++digits) value = value * 10 + (at[digits] - '0');
    return is_digit(at[digits]) || is_letter(at[digits]) ? -1 : value;
}

// The replacement for the number behind the first `done` characters; null if the number stays.
const char* substitute(const char* name, std::size_t done, long value, Text<16>& room) {
    constexpr char processes[] = "/proc/", threads[] = "/task/";
    constexpr std::size_t length = sizeof processes - 1;
    static_assert(length == sizeof threads - 1);
    const bool in_proc = done >= length && std::strncmp(name, processes, length) == 0;
    if (in_proc && (done == length || std::strncmp(name + done - length, threads, length) == 0)) {
        // The process that runs the plan, whichever process was launched, and its threads.
        const int kernels = kernel_id_of(static_cast<int>(value));
        return kernels == value ? nullptr : room.add(static_cast<unsigned long>(kernels)).bytes;
    }
    for (unsigned i = count; i-- > 0;)
        if (numbers[i].seen == value) return numbers[i].real.bytes;
    return nullptr;
}

// Calls `copy(from, bytes)` for each piece of the translation. False if there is nothing to translate.
template <typename Copy>
bool in_pieces(const char* name, std::size_t length, Copy copy) {
    bool translated = false;
    std::size_t from = 0;
    for (std::size_t at = 0; at < length;) {
        if (!is_digit(name[at])) {
            ++at;
            continue;
        }
        std::size_t digits = 0;
        const long value = number_at(name + at, digits);
        Text<16> room;
        const char* other = value > 0 ? substitute(name, at, value, room) : nullptr;
        const std::size_t bytes = other != nullptr ? std::strlen(other) : 0;
        if (other != nullptr && bytes <= digits) {
            copy(name + from, at - from);
            copy(other, bytes);
            from = at + digits;
            translated = true;
        }
        at += digits;
        while (at < length && is_digit(name[at])) ++at;
    }
    if (translated) copy(name + from, length - from);
    return translated;
}

std::size_t translate_bytes(const char* name, std::size_t length, char* room) {
    std::size_t used = 0;
    in_pieces(name, length, [&](const char* from, std::size_t bytes) {
        std::memcpy(room + used, from, bytes);
        used += bytes;
    });
    return used;
}

}  // namespace

void set_process_number(int seen, int real) {
    if (seen == real || count == sizeof numbers / sizeof *numbers) return;
    numbers[count].seen = seen;
    numbers[count].real.add(static_cast<unsigned long>(real));
    ++count;
}

bool contains_number(const char* name) {
    return name != nullptr && in_pieces(name, std::strlen(name), [](const char*, std::size_t) {});
}

void translate(const char* name, char* room) { room[translate_bytes(name, std::strlen(name), room)] = 0; }

const char* real_name(const char* name) {
    constexpr std::size_t longest = 4096;
    constexpr unsigned rooms = 8;
    static char room[rooms][longest];
    static unsigned next = 0;
    if (!contains_number(name) || std::strlen(name) >= longest) return name;
    char* mine = room[__atomic_fetch_add(&next, 1, __ATOMIC_RELAXED) % rooms];
    translate(name, mine);
    return mine;
}

Address::Address(const void* address, socklen_t length)
    : address_(static_cast<const sockaddr*>(address)), length_(length) {
    const auto* given = static_cast<const sockaddr_un*>(address);
    constexpr std::size_t head = offsetof(sockaddr_un, sun_path);
    if (given == nullptr || length <= head || length > sizeof translated_ || given->sun_family != AF_UNIX) return;
    translated_ = {};
    translated_.sun_family = AF_UNIX;
    // Terminates the path: the byte behind it in memory must not become part of the number.
    char path[sizeof translated_.sun_path + 1] = {};
    std::memcpy(path, given->sun_path, length - head);
    const std::size_t used = translate_bytes(path, length - head, translated_.sun_path);
    if (used == 0) return;
    address_ = reinterpret_cast<const sockaddr*>(&translated_);
    length_ = static_cast<socklen_t>(head + used);
}

Needs needs_of(char* const* words) {
    Needs needs;
    if (words == nullptr) return needs;
    for (; words[needs.words] != nullptr; ++needs.words)
        if (contains_number(words[needs.words])) needs.bytes += std::strlen(words[needs.words]) + 1;
    return needs;
}

void translate(char* const* words, char** into, char* room) {
    for (; *words != nullptr; ++words, ++into) {
        *into = *words;
        if (!contains_number(*words)) continue;
        translate(*words, *into = room);
        room += std::strlen(*words) + 1;
    }
    *into = nullptr;
}

}  // namespace raddle::names
