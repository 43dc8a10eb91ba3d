// A watched call only notes its accesses. A visible one moves between two contents of the memory that it accesses: the
// one that other threads see, and the one that the call works with. It changes over to the first before each action,
// because other threads may run then, and to the second after it.
#include "preload/memory/calls/effects.h"

#include <sys/socket.h>
#include <sys/uio.h>

#include <cerrno>
#include <cstdarg>
#include <cstddef>
#include <cstring>

#include "preload/base/raw.h"
#include "preload/base/stale_words.h"
#include "preload/memory/calls/constants.h"
#include "preload/memory/calls/extents.h"
#include "preload/memory/calls/statics.h"
#include "preload/memory/calls/unfollowed_calls.h"
#include "preload/memory/reported_calls.h"
#include "preload/memory/scratch.h"
#include "preload/memory/state.h"
#include "preload/schedule/scheduler.h"

namespace raddle::memory::effects {

namespace {

constexpr std::uint64_t long_stretch = 512, long_piece = 64;

unsigned char* memory_at(std::uint64_t address) { return reinterpret_cast<unsigned char*>(address); }

bool is_private(std::uint64_t address) {
    return patches.header->stacks == 0 &&
           is_own_stack(reinterpret_cast<std::uint64_t>(__builtin_frame_address(0)), address);
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

// `mode`: in place of the row's, if it is not 0.
void FollowedCall::add(std::uint32_t row, std::uint64_t address, std::uint64_t bytes, std::uint8_t mode) {
    if (address == 0 || bytes == 0 || is_private(address)) return;
    if (mode == 0) mode = table[rows_.first + row].mode;
    if (mode == reads && constants::contain(address)) return;
    constexpr std::uint64_t surely_there = 4096;
    if (patches.header->everything != 0 || bytes > surely_there) bytes = mapped_bytes(address, bytes);
    if (bytes == 0) return;
    const Row& effect = table[rows_.first + row];
    for (std::uint32_t i = 0; i < count_; ++i) {
        Range& known = ranges_[i];
        if (known.address != address || known.bytes != bytes) continue;
        if (known.mode == reads) known.row = row;  // `written` follows from the row that writes
        known.mode |= mode;
        return;
    }
    if (count_ == room_) {
        auto* const wider = reinterpret_cast<Range*>(scratch::take(2 * room_ * sizeof(Range)));
        std::memcpy(wider, ranges_, count_ * sizeof(Range));
        if (ranges_ != usual_) scratch::give_back(reinterpret_cast<unsigned char*>(ranges_), room_ * sizeof(Range));
        ranges_ = wider;
        room_ *= 2;
    }
    ranges_[count_++] = {address, bytes, nullptr, nullptr, nullptr, 0, 0, row, mode, effect.extent.width,
                         false,   0,     0,       {}};
}

void FollowedCall::add_pieces(std::uint32_t row, std::uint64_t vector, std::uint64_t count) {
    constexpr std::uint64_t most = 1024;  // of Linux
    if (vector == 0 || count > most) return;
    for (std::uint64_t i = 0; i < count; ++i) {
        const auto piece = value_at<iovec>(vector + i * sizeof(iovec));
        add(row, reinterpret_cast<std::uint64_t>(piece.iov_base), piece.iov_len);
    }
}

// The memory to which the arguments of a format point.
void FollowedCall::add_arguments(std::uint32_t row) {
    const Row& effect = table[rows_.first + row];
    const std::uint64_t format = words_[effect.argument - 1];
    formats::Uses uses;
    va_list list;
    va_copy(list, *reinterpret_cast<va_list*>(words_[effect.extent.a - 1]));
    const bool is_wide = effect.extent.b != 0, is_printed = effect.extent.kind == Kind::printed;
    if (is_wide) {
        const auto* const text = reinterpret_cast<const wchar_t*>(format);
        is_printed ? formats::find_printed(text, list, uses) : formats::find_scanned(text, list, uses);
    } else {
        const auto* const text = reinterpret_cast<const char*>(format);
        is_printed ? formats::find_printed(text, list, uses) : formats::find_scanned(text, list, uses);
    }
    va_end(list);
    if (!uses.is_complete) unfollowed::note(is_printed ? "printf" : "scanf");
    add(row, format, is_wide ? bytes_of_wide_text(format, no_end) : std::strlen(reinterpret_cast<char*>(format)) + 1,
        reads);
    for (std::uint32_t i = 0; i < uses.count; ++i) {
        const formats::Use& use = uses.row[i];
        if (use.is_written) {
            std::uint64_t next = no_end;  // memory without a known end reaches to the next variable at most
            for (std::uint32_t k = 0; k < uses.count; ++k)
                if (uses.row[k].address > use.address && uses.row[k].address < next) next = uses.row[k].address;
            formats::Use limited = use;
            if (limited.limit == formats::no_limit && next != no_end) limited.limit = next - use.address;
            add_scanned(row, limited);
            continue;
        }
        const std::uint64_t bytes = use.target == formats::Target::wide_text
                                        ? bytes_of_wide_text(use.address, use.limit)
                                        : ::strnlen(reinterpret_cast<const char*>(use.address), use.limit);
        add(row, use.address, use.target == formats::Target::text && bytes < use.limit ? bytes + 1 : bytes, reads);
    }
}

void FollowedCall::add_scanned(std::uint32_t row, const formats::Use& use) {
    constexpr std::uint64_t usual_text = 4096;
    const std::uint64_t unit = use.target == formats::Target::wide_text ? sizeof(wchar_t) : 1;
    const bool is_text = use.target == formats::Target::wide_text || use.target == formats::Target::text;
    std::uint64_t bytes = use.limit;
    if (is_text) bytes = use.limit < usual_text ? (use.limit + 1) * unit : usual_text;
    const std::uint32_t before = count_;
    add(row, use.address, is_text ? mapped_bytes(use.address, bytes) : bytes, writes);
    if (count_ == before) return;
    Range& range = ranges_[before];
    range.is_scanned = use.counts ? 2 : 1;
    range.assignments = use.assignments;
    range.target = use.target;
    if (range.target == formats::Target::text) range.width = 1;
}

// The bytes that scanf has written there.
std::uint64_t FollowedCall::scanned_bytes(const Range& range, std::uint64_t result) {
    const auto assigned = static_cast<std::int32_t>(result);
    if (assigned < range.assignments + (range.is_scanned == 2 ? 1 : 0)) return 0;
    if (range.target == formats::Target::wide_text)
        return bytes_of_wide_text(range.address, range.bytes / sizeof(wchar_t));
    if (range.target != formats::Target::text) return range.bytes;
    const std::uint64_t length = ::strnlen(reinterpret_cast<const char*>(range.address), range.bytes);
    return length < range.bytes ? length + 1 : length;
}

// All memory that the call may access.
void FollowedCall::collect() {
    for (std::uint32_t row = 0; row < rows_.count; ++row) {
        const Row& effect = table[rows_.first + row];
        const Extent& extent = effect.extent;
        if (effect.argument == 0) continue;
        if (effect.argument == in_libc) {
            const auto state = static_cast<State>(extent.a);
            add(row, reinterpret_cast<std::uint64_t>(hidden_state::word_of(state)), sizeof(std::uint64_t));
            continue;
        }
        const std::uint64_t address = words_[effect.argument - 1];
        const std::uint64_t times = extent.a != 0 ? words_[extent.a - 1] : 1;
        if (address == 0) continue;
        switch (extent.kind) {
            case Kind::text_at:
            case Kind::wide_text_at: {
                const auto text = value_at<std::uint64_t>(address);
                if (text != 0) add(row, text, bytes_of_text(text, extent.kind == Kind::wide_text_at));
                break;
            }
            case Kind::printed:
            case Kind::scanned: add_arguments(row); break;
            case Kind::line:
            case Kind::advanced:
                if (times != 0) add(row, value_at<std::uint64_t>(address), value_at<std::uint64_t>(times));
                break;
            case Kind::field:
                for (std::uint64_t i = 0; i < times; ++i)
                    add(row, address + i * extent.size + extent.offset, extent.part);
                break;
            case Kind::vector: add_pieces(row, address, times); break;
            case Kind::message:
            case Kind::name:
            case Kind::control: add_message(row, value_at<msghdr>(address)); break;
            default: add(row, address, bytes_of(effect, address, words_)); break;
        }
    }
}

void FollowedCall::add_message(std::uint32_t row, const msghdr& message) {
    const Kind kind = table[rows_.first + row].extent.kind;
    if (kind == Kind::message)
        add_pieces(row, reinterpret_cast<std::uint64_t>(message.msg_iov), message.msg_iovlen);
    else if (kind == Kind::name)
        add(row, reinterpret_cast<std::uint64_t>(message.msg_name), message.msg_namelen);
    else
        add(row, reinterpret_cast<std::uint64_t>(message.msg_control), message.msg_controllen);
}

void FollowedCall::enter_state() {
    for (std::uint32_t row = 0; row < rows_.count; ++row) {
        const Extent& extent = table[rows_.first + row].extent;
        if (extent.kind != Kind::state || extent.b == 0) continue;
        hidden_state::lock(static_cast<State>(extent.a), caller_);
        return;
    }
}

void FollowedCall::leave_state() {
    for (std::uint32_t row = 0; row < rows_.count; ++row) {
        const Extent& extent = table[rows_.first + row].extent;
        if (extent.kind != Kind::state || extent.b == 0) continue;
        hidden_state::unlock(static_cast<State>(extent.a), caller_);
        return;
    }
}

void FollowedCall::change_state() {
    for (std::uint32_t row = 0; row < rows_.count; ++row) {
        const Row& effect = table[rows_.first + row];
        if (effect.extent.kind == Kind::state && effect.mode == writes)
            ++*hidden_state::word_of(static_cast<State>(effect.extent.a));
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

// Memory at the result. Other threads see its old content until the writes take effect.
void FollowedCall::add_returned(std::uint64_t result) {
    if (!statics::contain(result)) return;
    for (std::uint32_t row = 0; row < rows_.count; ++row) {
        const Row& effect = table[rows_.first + row];
        if (effect.argument != 0) continue;
        const std::uint32_t before = count_;
        add(row, result, effect.extent.size);
        if (count_ == before || !visible_) continue;
        Range& range = ranges_[before];
        range.outside = scratch::take(range.bytes);
        std::memcpy(range.outside, statics_before_ + statics::offset_of(result), range.bytes);
    }
}

void FollowedCall::find_written(std::uint64_t result) {
    std::uint64_t left = 0;
    std::uint32_t row = ~std::uint32_t{0};
    for (std::uint32_t i = 0; i < count_; ++i) {
        Range& range = ranges_[i];
        const Row& effect = table[rows_.first + range.row];
        if ((range.mode & writes) == 0 || !is_true(effect.when, result, range.address)) continue;
        if (range.row != row) left = result;
        row = range.row;
        std::uint64_t written = range.is_scanned != 0 ? scanned_bytes(range, result) : range.bytes;
        switch (effect.extent.kind) {
            case Kind::result:
            case Kind::vector:
            case Kind::message:
                written = left < range.bytes ? left : range.bytes;
                left -= written;
                break;
            case Kind::letter_taken: written = sizeof(long) + left; break;
            case Kind::items: written = result * words_[effect.extent.a - 1]; break;
            case Kind::elements: written = result * effect.extent.size; break;
            case Kind::line: written = result + 1; break;
            case Kind::length_at: written = value_at<socklen_t>(words_[effect.extent.a - 1]); break;
            case Kind::text_of:
                written = ::strnlen(reinterpret_cast<const char*>(range.address), range.bytes) + 1;
                break;
            case Kind::wide_text_of: written = bytes_of_wide_text(range.address, range.bytes / sizeof(wchar_t)); break;
            case Kind::advanced: written = value_at<std::uint64_t>(words_[effect.argument - 1]) - range.address; break;
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
    if (rows_.has_state) enter_state();
    collect();
    if (visible_ && rows_.returns_memory) {
        statics_before_ = scratch::take(statics::bytes());
        statics::copy_to(statics_before_);
    }
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
    if (count_ == 0 && !rows_.returns_memory) return;
    const int error = errno;
    if (active && rows_.returns_memory) add_returned(result);
    if (rows_.has_state) change_state();
    scratch::give_back(statics_before_, statics::bytes());
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
    if (rows_.has_state) leave_state();
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
