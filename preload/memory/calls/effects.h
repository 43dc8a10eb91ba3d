// The memory that intercepted functions read and write for their caller. The table is call_effects.def. A call by
// instrumented code is treated like a reported call (calls.h): it is watched until it accesses shared memory, and
// visible from then on.
//
// Each access of a visible call is an action, in pieces of at most eight bytes (64 in long ranges):
//   * reads come before the call. The call then works with the content that was read, whatever others write meanwhile.
//   * writes come before the call's next action, or at its end. Until then other threads see the content from before.
// Memory alternates between these two contents, so that no function has to know of its effects.
#pragma once

#include <cstdint>
#include <type_traits>

#include "preload/base/text.h"
#include "preload/memory/calls/extents.h"
#include "preload/memory/calls/formats.h"
#include "preload/threads/thread.h"

struct msghdr;

namespace raddle::memory::effects {

// Rows of the table, all of one function.
struct Rows {
    std::uint32_t first = 0, count = 0;
    bool returns_memory = false;  // one of them describes memory at the result
    bool has_state = false;       // one of them describes state of libc
};

consteval Rows rows_of(const char* function) {
    constexpr const char* functions[] = {
#define RADDLE_EFFECT(name, ...) #name,
#include "preload/memory/calls/call_effects.def"
    };
    constexpr std::uint8_t arguments[] = {
#define RADDLE_EFFECT(name, mode, argument, ...) argument,
#include "preload/memory/calls/call_effects.def"
    };
    Rows rows;
    std::uint32_t at = 0;
    for (const char* const one : functions) {
        if (is_same_text(one, function)) {
            if (rows.count++ == 0) rows.first = at;
            rows.returns_memory |= arguments[at] == 0;
            rows.has_state |= arguments[at] == in_libc;
        }
        ++at;
    }
    return rows;
}

// Memory that a call accesses.
struct Range {
    std::uint64_t address, bytes;
    unsigned char* outside;  // its content for other threads, while the call runs
    unsigned char* inside;   // its content for the call, if the call reads it
    unsigned char* fresh;    // while the call's writes take effect: what it wrote
    std::uint64_t done;      // so many bytes were announced as written
    std::uint64_t written;   // so many bytes the call has written, once it returned
    std::uint32_t row;
    std::uint8_t mode, width;
    bool is_gone;             // the call has freed it
    std::uint8_t is_scanned;  // scanf writes it; 2: if its result is at least `assignments`
    std::uint8_t assignments;
    formats::Target target;
};

// A call in progress.
class FollowedCall {
public:
    FollowedCall(Rows rows, const std::uint64_t* words, const void* caller)
        : rows_(rows), words_(words), caller_(caller) {}
    void begin();
    void end(std::uint64_t result);
    void before_action();
    void after_action();

private:
    void collect();
    void add(std::uint32_t row, std::uint64_t address, std::uint64_t bytes, std::uint8_t mode = 0);
    void add_arguments(std::uint32_t row);
    void add_scanned(std::uint32_t row, const formats::Use& use);
    static std::uint64_t scanned_bytes(const Range& range, std::uint64_t result);
    void add_message(std::uint32_t row, const msghdr& message);
    void add_pieces(std::uint32_t row, std::uint64_t vector, std::uint64_t count);
    void read_all();
    void commit(bool at_end);
    void write_pieces(Range& range, bool at_end);
    void find_written(std::uint64_t result);
    void find_gone();
    void enter_state();
    void leave_state();
    void change_state();
    void add_returned(std::uint64_t result);
    void access(std::uint64_t address, std::uint64_t bytes, std::uint8_t mode, const unsigned char* content) const;

    static constexpr std::uint32_t usual = 6;
    const Rows rows_;
    const std::uint64_t* const words_;  // the arguments
    const void* const caller_;
    bool visible_ = false;
    unsigned char* statics_before_ = nullptr;  // of libc, if the call is visible and returns a part of them
    std::uint32_t count_ = 0, room_ = usual;
    Range usual_[usual];
    Range* ranges_ = usual_;
};

// Whether the effects of a call that returns to this address count.
bool counts(const void* caller);

template <typename Value>
std::uint64_t as_word(Value value) {
    if constexpr (std::is_pointer_v<Value>)
        return reinterpret_cast<std::uint64_t>(value);
    else if constexpr (std::is_integral_v<Value> || std::is_enum_v<Value>)
        return static_cast<std::uint64_t>(static_cast<std::int64_t>(value));
    else
        return 0;  // no address and no count
}

// Performs a call with the effects of these rows: Follower<rows, ...>{caller, perform}(arguments of the call).
template <Rows rows, typename Perform>
struct Follower {
    const void* caller;
    Perform perform;

    template <typename... Arguments>
    auto operator()(Arguments... arguments) const {
        if constexpr (rows.count == 0) {
            return perform();
        } else {
            if (!counts(caller)) return perform();
            const std::uint64_t words[sizeof...(arguments) + 1] = {as_word(arguments)...};
            FollowedCall call(rows, words, caller);
            call.begin();
            if constexpr (std::is_void_v<decltype(perform())>) {
                perform();
                call.end(0);
            } else {
                const auto result = perform();
                call.end(as_word(result));
                return result;
            }
        }
    }
};

template <Rows rows, typename Perform>
Follower<rows, Perform> follow(const void* caller, Perform perform) {
    return {caller, perform};
}

}  // namespace raddle::memory::effects
