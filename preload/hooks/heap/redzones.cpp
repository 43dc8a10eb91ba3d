#include "preload/hooks/heap/redzones.h"

#include <cstdint>
#include <cstring>

#include "preload/base/sanitizer.h"

namespace raddle::redzones {

namespace {

// The states by which the runtime names an error in its report.
constexpr int outside = 0xfa, freed = 0xfd;
constexpr std::size_t granule = 8;

// The last bytes of a block, behind the program's.
struct Label {
    std::uint64_t mark, bytes;
};
constexpr std::uint64_t label_mark = 0x9a1d5e2b70c3f648;

void set(std::uint64_t begin, std::uint64_t end, int state) {
    if (begin < end)
        std::memset(reinterpret_cast<void*>(begin / granule + sanitizer::shadow), state, (end - begin) / granule);
}

std::uint64_t at(const char* address) { return reinterpret_cast<std::uint64_t>(address); }

Label* label_of(const char* begin, std::size_t room) {
    return reinterpret_cast<Label*>((at(begin) + room - sizeof(Label)) & ~(granule - 1));
}

}  // namespace

std::size_t room_for(std::size_t bytes) {
    std::size_t behind = sizeof(Label);
    while (behind < 2048 && behind * 4 <= bytes) behind *= 2;
    const std::size_t whole = (bytes + granule - 1) & ~(granule - 1);
    return whole + behind < bytes ? bytes : whole + behind;
}

void mark_given(char* begin, std::size_t room, const char* given, std::size_t bytes) {
    const std::uint64_t end = (at(begin) + room + granule - 1) & ~(granule - 1), from = at(given);
    const std::uint64_t last_whole = (from + bytes) & ~(granule - 1);
    set(at(begin), from, outside);
    set(from, last_whole, 0);
    set(last_whole, end, outside);
    // A state from 1 to 7: only so many of the eight bytes may be accessed.
    if (bytes % granule != 0) set(last_whole, last_whole + granule, static_cast<int>(bytes % granule));
    *label_of(begin, room) = {label_mark, bytes};
}

void mark_freed(const char* begin, std::size_t room) {
    const std::size_t bytes = given_bytes(begin, room, room < sizeof(Label) ? room : room - sizeof(Label));
    const std::uint64_t end = (at(begin) + room) & ~(granule - 1);
    const std::uint64_t given = (at(begin) + bytes + granule - 1) & ~(granule - 1);
    set(at(begin), end, outside);
    set(at(begin), given < end ? given : end, freed);
}

void mark_unused(const char* begin, std::size_t bytes) { set(at(begin), at(begin) + bytes, outside); }

std::size_t given_bytes(const char* begin, std::size_t room, std::size_t otherwise) {
    if (room < sizeof(Label)) return otherwise;
    const Label& label = *label_of(begin, room);
    return label.mark == label_mark && label.bytes <= room ? static_cast<std::size_t>(label.bytes) : otherwise;
}

}  // namespace raddle::redzones
