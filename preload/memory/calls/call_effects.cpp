// A watched call only notes its accesses. A visible one moves between two contents of the memory that it accesses: the
// one that other threads see, and the one that the call works with. It changes over to the first before each action,
// because other threads may run then, and to the second after it.
#include "preload/memory/calls/call_effects.h"

#include <poll.h>
#include <pthread.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/times.h>
#include <sys/uio.h>
#include <sys/utsname.h>

#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstring>
#include <ctime>

#include "preload/base/raw.h"
#include "preload/base/stale_words.h"
#include "preload/memory/reported_calls.h"
#include "preload/memory/scratch.h"
#include "preload/memory/state.h"
#include "preload/schedule/scheduler.h"

namespace raddle::memory::effects {

namespace {

enum class Kind : std::uint8_t {
    bytes,
    given,
    product,
    array,
    field,
    bits,
    result,
    items,
    elements,
    length_at,
    text,
    text_of,
    vector,
    message,
    name,
    control,
    line,
};

struct Extent {
    Kind kind;
    std::uint8_t width;         // of the variables in it, if they are equal
    std::uint8_t a = 0, b = 0;  // arguments; 0: none
    std::uint32_t size = 1, offset = 0, part = 0;
};

constexpr std::uint8_t widest = 8;
constexpr Extent bytes(std::size_t size, std::uint8_t width = widest) {
    return {Kind::bytes, width, 0, 0, static_cast<std::uint32_t>(size)};
}
constexpr Extent int_at() { return bytes(sizeof(int), sizeof(int)); }
constexpr Extent word() { return bytes(8); }
constexpr Extent given(std::uint8_t a) { return {Kind::given, widest, a}; }
constexpr Extent product(std::uint8_t a, std::uint8_t b) { return {Kind::product, widest, a, b}; }
constexpr Extent array(std::uint8_t a, std::size_t size, std::uint8_t width = widest) {
    return {Kind::array, width, a, 0, static_cast<std::uint32_t>(size)};
}
constexpr Extent field(std::uint8_t a, std::size_t size, std::size_t offset, std::size_t part) {
    return {Kind::field,
            widest,
            a,
            0,
            static_cast<std::uint32_t>(size),
            static_cast<std::uint32_t>(offset),
            static_cast<std::uint32_t>(part)};
}
constexpr Extent bits(std::uint8_t a) { return {Kind::bits, widest, a}; }
constexpr Extent result(std::uint8_t a) { return {Kind::result, widest, a}; }
constexpr Extent items(std::uint8_t a, std::uint8_t b) { return {Kind::items, widest, a, b}; }
constexpr Extent elements(std::uint8_t a, std::size_t size) {
    return {Kind::elements, widest, a, 0, static_cast<std::uint32_t>(size)};
}
constexpr Extent length_at(std::uint8_t a) { return {Kind::length_at, widest, a}; }
constexpr Extent text() { return {Kind::text, 1}; }
constexpr Extent text_of(std::uint8_t a) { return {Kind::text_of, 1, a}; }
constexpr Extent vector(std::uint8_t a) { return {Kind::vector, widest, a}; }
constexpr Extent message() { return {Kind::message, widest}; }
constexpr Extent name() { return {Kind::name, widest}; }
constexpr Extent control() { return {Kind::control, widest}; }
constexpr Extent line(std::uint8_t a) { return {Kind::line, 1, a}; }

enum class When : std::uint8_t {
    before,
    early,
    if_zero,
    if_not_zero,
    if_not_negative,
    if_positive,
    if_not_null,
    always,
};

struct Row {
    std::uint8_t mode, argument;
    Extent extent;
    When when;
};
const Row table[] = {
#define RADDLE_EFFECT(name, mode, argument, extent, when) {mode, argument, extent, When::when},
#include "preload/memory/calls/call_effects.def"
};

constexpr std::uint64_t long_stretch = 512, long_piece = 64;

template <typename Value>
Value value_at(std::uint64_t address) {
    Value value;
    std::memcpy(&value, reinterpret_cast<const void*>(address), sizeof value);
    return value;
}
unsigned char* memory_at(std::uint64_t address) { return reinterpret_cast<unsigned char*>(address); }

bool is_private(std::uint64_t address) {
    return patches.header->stacks == 0 &&
           is_own_stack(reinterpret_cast<std::uint64_t>(__builtin_frame_address(0)), address);
}

bool is_true(When when, std::uint64_t result) {
    const auto number = static_cast<std::int64_t>(result);
    switch (when) {
        case When::before: return false;
        case When::early:
        case When::if_zero: return number == 0;
        case When::if_not_zero: return number != 0;
        case When::if_not_negative: return number >= 0;
        case When::if_positive: return number > 0;
        case When::if_not_null: return number != 0;
        case When::always: return true;
    }
    return false;
}

// So many bytes from here on are mapped, as far as the caller may be wrong about them: a kernel call answers EFAULT.
std::uint64_t mapped_bytes(std::uint64_t address, std::uint64_t bytes) {
    constexpr std::uint64_t page = 4096, pages = 64;
    unsigned char there[pages];
    std::uint64_t at = address & ~(page - 1);
    const std::uint64_t end = bytes < ~std::uint64_t{0} - address ? address + bytes : ~std::uint64_t{0};
    while (at < end) {
        const std::uint64_t left = (end - at + page - 1) / page;
        std::uint64_t step = left < pages ? left : pages;
        while (step > 0 && raw::failed(raw::call(SYS_mincore, at, step * page, there))) step /= 2;
        if (step == 0) break;
        at += step * page;
    }
    if (at <= address) return 0;
    return at - address < bytes ? at - address : bytes;
}

// The size of the next piece: an aligned power of two up to `width`, or a line of a long range.
std::uint64_t piece_of(const Range& range, std::uint64_t done) {
    const std::uint64_t address = range.address + done, left = range.bytes - done;
    if (range.bytes > long_stretch && address % long_piece == 0 && left >= long_piece) return long_piece;
    std::uint64_t piece = range.width;
    while (piece > left || address % piece != 0) piece /= 2;
    return piece;
}

}  // namespace

bool counts(const void* caller) { return active && is_instrumented(caller); }

void FollowedCall::access(std::uint64_t address, std::uint64_t bytes, std::uint8_t mode,
                          const unsigned char* content) const {
    const auto call = reinterpret_cast<std::uint64_t>(caller_);
    std::uint64_t value = 0;
    const bool has_value = content != nullptr && bytes <= sizeof value;
    if (has_value) std::memcpy(&value, content, bytes);
    access_by_call(address, bytes, mode, call, has_value ? &value : nullptr);
}

void FollowedCall::add(std::uint32_t row, std::uint64_t address, std::uint64_t bytes) {
    if (address == 0 || bytes == 0 || is_private(address)) return;
    constexpr std::uint64_t surely_there = 4096;
    if (patches.header->everything != 0 || bytes > surely_there) bytes = mapped_bytes(address, bytes);
    if (bytes == 0) return;
    const Row& effect = table[rows_.first + row];
    for (std::uint32_t i = 0; i < count_; ++i) {
        Range& known = ranges_[i];
        if (known.address != address || known.bytes != bytes) continue;
        if (known.mode == reads) known.row = row;  // `written` follows from the row that writes
        known.mode |= effect.mode;
        return;
    }
    if (count_ == room_) {
        auto* const wider = reinterpret_cast<Range*>(scratch::take(2 * room_ * sizeof(Range)));
        std::memcpy(wider, ranges_, count_ * sizeof(Range));
        if (ranges_ != usual_) scratch::give_back(reinterpret_cast<unsigned char*>(ranges_), room_ * sizeof(Range));
        ranges_ = wider;
        room_ *= 2;
    }
    ranges_[count_++] = {address, bytes, nullptr, nullptr, nullptr, 0, 0, row, effect.mode, effect.extent.width, false};
}

void FollowedCall::add_pieces(std::uint32_t row, std::uint64_t vector, std::uint64_t count) {
    constexpr std::uint64_t most = 1024;  // of Linux
    if (vector == 0 || count > most) return;
    for (std::uint64_t i = 0; i < count; ++i) {
        const auto piece = value_at<iovec>(vector + i * sizeof(iovec));
        add(row, reinterpret_cast<std::uint64_t>(piece.iov_base), piece.iov_len);
    }
}

// All memory that the call may access.
void FollowedCall::collect() {
    for (std::uint32_t row = 0; row < rows_.count; ++row) {
        const Row& effect = table[rows_.first + row];
        const Extent& extent = effect.extent;
        const std::uint64_t address = words_[effect.argument - 1];
        const auto argument = [&](std::uint8_t number) { return words_[number - 1]; };
        const std::uint64_t times = extent.a != 0 ? argument(extent.a) : 1;
        if (address == 0) continue;
        switch (extent.kind) {
            case Kind::bytes: add(row, address, extent.size); break;
            case Kind::given:
            case Kind::text_of:
            case Kind::result: add(row, address, times); break;
            case Kind::product:
            case Kind::items: add(row, address, times * argument(extent.b)); break;
            case Kind::array:
            case Kind::elements: add(row, address, times * extent.size); break;
            case Kind::field:
                for (std::uint64_t i = 0; i < times; ++i)
                    add(row, address + i * extent.size + extent.offset, extent.part);
                break;
            case Kind::bits: add(row, address, (times + 63) / 64 * 8); break;
            case Kind::length_at:
                if (times != 0) add(row, address, value_at<socklen_t>(times));
                break;
            case Kind::text: add(row, address, std::strlen(reinterpret_cast<const char*>(address)) + 1); break;
            case Kind::vector: add_pieces(row, address, times); break;
            case Kind::message: {
                const auto parts = value_at<msghdr>(address);
                add_pieces(row, reinterpret_cast<std::uint64_t>(parts.msg_iov), parts.msg_iovlen);
                break;
            }
            case Kind::name: {
                const auto parts = value_at<msghdr>(address);
                add(row, reinterpret_cast<std::uint64_t>(parts.msg_name), parts.msg_namelen);
                break;
            }
            case Kind::control: {
                const auto parts = value_at<msghdr>(address);
                add(row, reinterpret_cast<std::uint64_t>(parts.msg_control), parts.msg_controllen);
                break;
            }
            case Kind::line: add(row, value_at<std::uint64_t>(address), value_at<std::uint64_t>(times)); break;
        }
    }
}

// getline() may have moved its block.
void FollowedCall::find_gone() {
    for (std::uint32_t i = 0; i < count_; ++i) {
        const Row& effect = table[rows_.first + ranges_[i].row];
        ranges_[i].is_gone |= effect.extent.kind == Kind::line &&
                              value_at<std::uint64_t>(words_[effect.argument - 1]) != ranges_[i].address;
    }
}

void FollowedCall::find_written(std::uint64_t result) {
    std::uint64_t left = 0;
    std::uint32_t row = ~std::uint32_t{0};
    for (std::uint32_t i = 0; i < count_; ++i) {
        Range& range = ranges_[i];
        const Row& effect = table[rows_.first + range.row];
        if ((range.mode & writes) == 0 || !is_true(effect.when, result)) continue;
        if (range.row != row) left = result;
        row = range.row;
        std::uint64_t written = range.bytes;
        switch (effect.extent.kind) {
            case Kind::result:
            case Kind::vector:
            case Kind::message:
                written = left < range.bytes ? left : range.bytes;
                left -= written;
                break;
            case Kind::items: written = result * words_[effect.extent.a - 1]; break;
            case Kind::elements: written = result * effect.extent.size; break;
            case Kind::line: written = result + 1; break;
            case Kind::length_at: written = value_at<socklen_t>(words_[effect.extent.a - 1]); break;
            case Kind::text_of:
                written = ::strnlen(reinterpret_cast<const char*>(range.address), range.bytes) + 1;
                break;
            default: break;
        }
        range.written = written < range.bytes ? written : range.bytes;
    }
}

void FollowedCall::read_all() {
    for (std::uint32_t i = 0; i < count_; ++i) {
        const Range& range = ranges_[i];
        if ((range.mode & reads) == 0) continue;
        for (std::uint64_t done = 0; done < range.bytes;) {
            const std::uint64_t piece = piece_of(range, done);
            access(range.address + done, piece, reads, nullptr);
            std::memcpy(range.inside + done, memory_at(range.address + done), piece);
            done += piece;
        }
    }
}

void FollowedCall::begin() {
    const int error = errno;
    visible_ = is_visible_call(reinterpret_cast<std::uint64_t>(caller_));
    collect();
    for (std::uint32_t i = 0; i < count_; ++i) {
        Range& range = ranges_[i];
        const bool early = table[rows_.first + range.row].when == When::early;
        if (!visible_ && (range.mode & reads) != 0) access(range.address, range.bytes, reads, nullptr);
        if (!visible_ && early) access(range.address, range.bytes, writes, nullptr);
        if (!visible_) continue;
        range.outside = scratch::take(range.bytes);
        if ((range.mode & reads) != 0) range.inside = scratch::take(range.bytes);
    }
    if (visible_ && count_ != 0) {
        read_all();
        scheduler::current().followed = this;
        after_action();
    }
    errno = error;
}

void FollowedCall::end(std::uint64_t result) {
    if (count_ == 0) return;
    const int error = errno;
    if (active) find_written(result);
    find_gone();
    if (visible_) {
        scheduler::current().followed = nullptr;
        if (active) commit(true);
        for (std::uint32_t i = 0; i < count_; ++i) {
            scratch::give_back(ranges_[i].outside, ranges_[i].bytes);
            scratch::give_back(ranges_[i].inside, ranges_[i].bytes);
        }
        stale_words::clear();
    } else if (active) {
        for (std::uint32_t i = 0; i < count_; ++i) {
            const Range& range = ranges_[i];
            const bool early = table[rows_.first + range.row].when == When::early;
            if (!early && range.written != 0 && !range.is_gone) access(range.address, range.written, writes, nullptr);
        }
    }
    if (ranges_ != usual_) scratch::give_back(reinterpret_cast<unsigned char*>(ranges_), room_ * sizeof(Range));
    errno = error;
}

// The content for the call.
void FollowedCall::after_action() {
    for (std::uint32_t i = 0; i < count_; ++i) {
        Range& range = ranges_[i];
        if (range.is_gone) continue;
        unsigned char* const here = memory_at(range.address);
        std::memcpy(range.outside, here, range.bytes);
        if (range.inside != nullptr && std::memcmp(range.inside, here, range.bytes) != 0)
            std::memcpy(here, range.inside, range.bytes);
    }
}

void FollowedCall::before_action() {
    find_gone();
    commit(false);
}

// The content for other threads. All ranges change over before the first of the writes: another thread may run then.
void FollowedCall::commit(bool at_end) {
    for (std::uint32_t i = 0; i < count_; ++i) {
        Range& range = ranges_[i];
        if (range.is_gone) continue;
        unsigned char* const here = memory_at(range.address);
        if ((range.mode & writes) != 0) {
            range.fresh = scratch::take(range.bytes);
            std::memcpy(range.fresh, here, range.bytes);
        }
        if (std::memcmp(range.outside, here, range.bytes) != 0) std::memcpy(here, range.outside, range.bytes);
    }
    for (std::uint32_t i = 0; i < count_; ++i) {
        Range& range = ranges_[i];
        if (range.fresh == nullptr) continue;
        write_pieces(range, at_end);
        if (range.inside != nullptr) std::memcpy(range.inside, range.fresh, range.bytes);
        scratch::give_back(range.fresh, range.bytes);
        range.fresh = nullptr;
    }
}

// Announces the pieces that the call wrote since its last action: up to the last one that changed, and at the end all
// that the table says. Earlier ones may have got the value that they had.
void FollowedCall::write_pieces(Range& range, bool at_end) {
    const unsigned char* const before = range.inside != nullptr ? range.inside : range.outside;
    const bool early = table[rows_.first + range.row].when == When::early;
    std::uint64_t until = at_end ? range.written : 0;
    if (early && !at_end) until = range.bytes;
    for (std::uint64_t at = range.bytes; at > until; --at)
        if (range.fresh[at - 1] != before[at - 1]) until = at;
    for (std::uint64_t at = 0; at < until;) {
        const std::uint64_t piece = piece_of(range, at);
        const bool changed = std::memcmp(range.fresh + at, before + at, piece) != 0;
        if (changed || at >= range.done) {
            access(range.address + at, piece, writes, range.fresh + at);
            std::memcpy(memory_at(range.address + at), range.fresh + at, piece);
        }
        at += piece;
    }
    if (until > range.done) range.done = until;
}

void before_action(FollowedCall& call) { call.before_action(); }
void after_action(FollowedCall& call) { call.after_action(); }

}  // namespace raddle::memory::effects
