// One call of a memory or string function of libc, on behalf of instrumented code. A visible call does what libc's
// function does, in pieces, and announces each piece before it accesses memory. Pieces of memory are words, or lines of
// 64 bytes in long copies. Pieces of text are characters: the function must not access memory behind the end of a text.
// A call that is only watched notes what it accesses.
#pragma once

#include <cctype>
#include <cerrno>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cwctype>
#include <type_traits>

#include "preload/base/sanitizer.h"
#include "preload/memory/calls/calls.h"
#include "preload/memory/reported_calls.h"
#include "preload/memory/scratch.h"
#include "preload/memory/state.h"

extern "C" [[noreturn]] void __chk_fail();

namespace raddle::memory {

inline constexpr std::size_t no_limit = ~std::size_t{0};

// The character that a comparison goes by.
namespace fold {
inline int bytes(char here) { return static_cast<unsigned char>(here); }
inline int lower(char here) { return std::tolower(static_cast<unsigned char>(here)); }
inline wchar_t wide(wchar_t here) { return here; }
inline wchar_t wide_lower(wchar_t here) { return static_cast<wchar_t>(std::towlower(static_cast<wint_t>(here))); }
}  // namespace fold

class LibraryCall {
    static constexpr std::uint64_t word = 8, line = 64, long_stretch = 512;
    static std::uint64_t at(const void* address) { return reinterpret_cast<std::uint64_t>(address); }

public:
    explicit LibraryCall(const void* caller) : caller_(at(caller)), visible_(is_visible_call(caller_)), error_(errno) {}
    ~LibraryCall() {
        end_probe();
        errno = error_;
    }
    LibraryCall(const LibraryCall&) = delete;
    LibraryCall& operator=(const LibraryCall&) = delete;

    void* copy(void* to, const void* from, std::size_t bytes) {
        if (!visible_) {
            announce(Operation::memory_read, at(from), bytes);
            announce(Operation::memory_write, at(to), bytes);
            return std::memmove(to, from, bytes);
        }
        const bool backwards = at(to) - at(from) < bytes;
        for (std::size_t done = 0; done < bytes;) {
            const std::size_t piece = piece_of(at(to), bytes, done, backwards);
            const std::size_t offset = backwards ? bytes - done - piece : done;
            unsigned char content[line];
            announce(Operation::memory_read, at(from) + offset, piece);
            std::memcpy(content, static_cast<const char*>(from) + offset, piece);
            announce(Operation::memory_write, at(to) + offset, piece);
            std::memcpy(static_cast<char*>(to) + offset, content, piece);
            done += piece;
        }
        return to;
    }

    void* fill(void* to, int byte, std::size_t bytes) {
        for (std::size_t done = 0; done < bytes;) {
            const std::size_t piece = visible_ ? piece_of(at(to), bytes, done, false) : bytes;
            announce(Operation::memory_write, at(to) + done, piece);
            std::memset(static_cast<char*>(to) + done, byte, piece);
            done += piece;
        }
        return to;
    }

    int compare(const void* one, const void* other, std::size_t bytes) {
        for (std::size_t done = 0; done < bytes;) {
            const std::size_t piece = visible_ ? piece_of(at(one), bytes, done, false) : bytes;
            unsigned char content[line];
            announce(Operation::memory_read, at(one) + done, piece);
            if (visible_) std::memcpy(content, static_cast<const char*>(one) + done, piece);
            announce(Operation::memory_read, at(other) + done, piece);
            const void* first = static_cast<const char*>(one) + done;
            if (visible_) first = content;
            if (const int difference = std::memcmp(first, static_cast<const char*>(other) + done, piece);
                difference != 0)
                return difference;
            done += piece;
        }
        return 0;
    }

    // The room that the compiler knows at the destination.
    LibraryCall& with_room(std::size_t room, std::size_t bytes) {
        if (bytes > room) __chk_fail();
        return *this;
    }

    void* copy_swapped(void* to, const void* from, std::size_t bytes) {
        const auto* source = static_cast<const unsigned char*>(from);
        auto* target = static_cast<unsigned char*>(to);
        for (std::size_t i = 0; i + 1 < bytes; i += 2) {
            const unsigned char first = read(source + i), second = read(source + i + 1);
            write(target + i, second);
            write(target + i + 1, first);
        }
        return to;
    }
    // Copies up to and including this byte.
    void* copy_until(void* to, const void* from, int byte, std::size_t bytes) {
        for (std::size_t i = 0; i < bytes; ++i) {
            const unsigned char here = read(static_cast<const unsigned char*>(from) + i);
            write(static_cast<unsigned char*>(to) + i, here);
            if (here == static_cast<unsigned char>(byte)) return static_cast<unsigned char*>(to) + i + 1;
        }
        return nullptr;
    }

    template <typename Char>
    Char* fill_with(Char* to, Char with, std::size_t count) {
        for (std::size_t i = 0; i < count; ++i) write(to + i, with);
        return to;
    }
    template <typename Char>
    int compare_elements(const Char* one, const Char* other, std::size_t count) {
        for (std::size_t i = 0; i < count; ++i) {
            const Char a = read(one + i), b = read(other + i);
            if (a != b) return a < b ? -1 : 1;
        }
        return 0;
    }

    template <typename Char>
    Char* find(const Char* in, Char wanted, std::size_t count) {
        for (std::size_t i = 0; i < count; ++i)
            if (read(in + i) == wanted) return const_cast<Char*>(in + i);
        return nullptr;
    }
    void* find_last(const void* in, int byte, std::size_t bytes) {
        const auto* text = static_cast<const unsigned char*>(in);
        while (bytes > 0)
            if (read(text + --bytes) == static_cast<unsigned char>(byte))
                return const_cast<unsigned char*>(text + bytes);
        return nullptr;
    }
    void* find_bytes(const void* in, std::size_t bytes, const void* wanted, std::size_t length) {
        const auto *text = static_cast<const unsigned char*>(in), *pattern = static_cast<const unsigned char*>(wanted);
        for (std::size_t i = 0; i < length; ++i) read(pattern + i);
        if (length == 0) return const_cast<void*>(in);
        for (std::size_t i = 0; i < bytes; ++i) {
            read(text + i);
            if (i + 1 >= length && std::memcmp(text + i + 1 - length, wanted, length) == 0)
                return const_cast<unsigned char*>(text + i + 1 - length);
        }
        return nullptr;
    }

    template <typename Char>
    std::size_t length(const Char* text, std::size_t most = no_limit) {
        std::size_t i = 0;
        while (i < most && read(text + i) != 0) ++i;
        return i;
    }

    // Returns the address of the copy's terminating zero.
    template <typename Char>
    Char* copy_text(Char* to, const Char* from, std::size_t most = no_limit, std::size_t room = no_limit) {
        std::size_t i = 0;
        for (; i < most; ++i) {
            const Char here = read(from + i);
            if (i >= room) __chk_fail();
            write(to + i, here);
            if (here == 0) return to + i;
        }
        if (i >= room) __chk_fail();
        write(to + most, Char{0});
        return to + most;
    }
    template <typename Char>
    Char* append(Char* to, const Char* from, std::size_t most = no_limit, std::size_t room = no_limit) {
        const std::size_t before = length(to);
        copy_text(to + before, from, most, room == no_limit ? room : before < room ? room - before : 0);
        return to;
    }
    // Returns the address of the first zero, or of the end.
    template <typename Char>
    Char* copy_padded(Char* to, const Char* from, std::size_t count) {
        Char* end = to + count;
        bool ended = false;
        for (std::size_t i = 0; i < count; ++i) {
            const Char here = ended ? Char{0} : read(from + i);
            if (here == 0 && !ended) end = to + i;
            ended |= here == 0;
            write(to + i, here);
        }
        return end;
    }

    // `fold` maps each character first.
    template <typename Char, typename Fold>
    int compare_texts(const Char* one, const Char* other, std::size_t most, Fold fold) {
        for (std::size_t i = 0; i < most; ++i) {
            const auto a = fold(read(one + i)), b = fold(read(other + i));
            if (a != b) return sizeof(Char) == 1 ? static_cast<int>(a) - static_cast<int>(b) : a < b ? -1 : 1;
            if (a == 0) return 0;
        }
        return 0;
    }

    template <typename Char>
    Char* find_in_text(const Char* in, Char wanted, bool last) {
        const Char* found = nullptr;
        for (;; ++in) {
            const Char here = read(in);
            if (here == wanted) found = in;
            if (here == 0 || (found != nullptr && !last)) return const_cast<Char*>(found);
        }
    }
    template <typename Char>
    Char* find_or_end(const Char* in, Char wanted) {
        for (;; ++in)
            if (const Char here = read(in); here == wanted || here == 0) return const_cast<Char*>(in);
    }
    template <typename Char>
    Char* find_text(const Char* in, const Char* wanted, int (*differs)(const Char*, const Char*, std::size_t)) {
        const std::size_t bytes = length(wanted);
        if (bytes == 0) return const_cast<Char*>(in);
        for (std::size_t i = 0;; ++i) {
            if (read(in + i) == 0) return nullptr;
            if (i + 1 >= bytes && differs(in + i + 1 - bytes, wanted, bytes) == 0)
                return const_cast<Char*>(in + i + 1 - bytes);
        }
    }
    // The number of characters at the beginning that are (`members`), or are not, in the set.
    template <typename Char>
    std::size_t span(const Char* text, const Char* set, bool members) {
        const std::size_t size = length(set);
        for (std::size_t i = 0;; ++i) {
            const Char here = read(text + i);
            bool is_in = false;
            for (std::size_t k = 0; k < size; ++k) is_in |= set[k] == here;
            if (here == 0 || is_in != members) return i;
        }
    }
    template <typename Char>
    Char* find_of(const Char* text, const Char* set) {
        const Char* const found = text + span(text, set, false);
        return *found != 0 ? const_cast<Char*>(found) : nullptr;
    }

    // strtok_r()
    template <typename Char>
    Char* token(Char* text, const Char* separators, Char** state) {
        if (text == nullptr) text = read(state);
        if (text == nullptr) return nullptr;
        text += span(text, separators, true);
        Char* const end = text + span(text, separators, false);
        const bool is_last = *end == 0;
        if (end != text && !is_last) write(end, Char{0});
        write(state, is_last ? end : end + 1);
        return end != text ? text : nullptr;
    }
    char* separate(char** state, const char* separators) {
        char* const text = read(state);
        if (text == nullptr) return nullptr;
        char* const end = text + span(text, separators, false);
        const bool is_last = *end == 0;
        if (!is_last) write(end, char{0});
        write(state, is_last ? nullptr : end + 1);
        return text;
    }

    template <typename Char>
    Char* duplicate(const Char* text, std::size_t most = no_limit) {
        const std::size_t count = length(text, most);
        auto* copied = static_cast<Char*>(std::malloc((count + 1) * sizeof(Char)));
        if (copied == nullptr) {
            error_ = errno;
            return nullptr;
        }
        copy(copied, text, count * sizeof(Char));
        write(copied + count, Char{0});
        return copied;
    }

    // `sort` sorts the array at its argument. Its comparisons may access memory, so a visible call works on a copy.
    template <typename Sort>
    void sort(void* base, std::size_t count, std::size_t bytes, Sort sort) {
        const std::size_t all = count * bytes;
        if (!visible_) {
            announce(Operation::memory_read, at(base), all);
            end_probe();
            sort(base);
            return announce(Operation::memory_write, at(base), all);
        }
        unsigned char* const copied = scratch::take(all);
        for (std::size_t done = 0; done < all;) {
            const std::size_t piece = piece_of(at(base), all, done, false);
            announce(Operation::memory_read, at(base) + done, piece);
            std::memcpy(copied + done, static_cast<const char*>(base) + done, piece);
            done += piece;
        }
        end_probe();
        sort(copied);
        put(static_cast<char*>(base), copied, all);
        scratch::give_back(copied, all);
    }

    // vsnprintf(). `room` and `size` (of the memory at `to`) may be no_limit.
    int print(char* to, std::size_t room, std::size_t size, const char* format, va_list list) {
        errno = error_;
        if (!visible_) return print_at_once(to, room, size, format, list);
        va_list again;
        va_copy(again, list);
        const int printed = std::vsnprintf(nullptr, 0, format, again);
        va_end(again);
        if (printed >= 0 && room > 0) {
            const std::size_t bytes = static_cast<std::size_t>(printed) + 1, given = bytes < room ? bytes : room;
            if ((room != no_limit ? room : bytes) > size) __chk_fail();
            unsigned char* const text = scratch::take(bytes);
            errno = error_;
            std::vsnprintf(reinterpret_cast<char*>(text), bytes, format, list);
            text[given - 1] = 0;
            put(to, text, given);
            scratch::give_back(text, bytes);
        }
        error_ = errno;
        return printed;
    }

private:
    int print_at_once(char* to, std::size_t room, std::size_t size, const char* format, va_list list) {
        const std::size_t most = room < size ? room : size;
        const int printed = most == no_limit ? std::vsprintf(to, format, list) : std::vsnprintf(to, most, format, list);
        error_ = errno;
        if (printed < 0) return printed;
        const std::size_t bytes = static_cast<std::size_t>(printed) + 1, given = bytes < room ? bytes : room;
        if ((room != no_limit ? room : bytes) > size) __chk_fail();
        announce(Operation::memory_write, at(to), given);
        return printed;
    }

    // The source is the shim's own memory.
    void put(char* to, const unsigned char* from, std::size_t bytes) {
        for (std::size_t done = 0; done < bytes;) {
            const std::size_t piece = visible_ ? piece_of(at(to), bytes, done, false) : bytes;
            announce(Operation::memory_write, at(to) + done, piece);
            std::memcpy(to + done, from + done, piece);
            done += piece;
        }
    }

    // The size of the next piece: up to the next boundary of a word or a line; backwards, down to the last one.
    static std::size_t piece_of(std::uint64_t begin, std::size_t bytes, std::size_t done, bool backwards) {
        const std::uint64_t unit = bytes > long_stretch ? line : word;
        const std::uint64_t address = backwards ? begin + bytes - done : begin + done;
        const std::uint64_t to_edge = backwards ? (address - 1) % unit + 1 : unit - address % unit;
        return to_edge < bytes - done ? to_edge : bytes - done;
    }

    template <typename Value>
    Value read(const Value* address) {
        announce(Operation::memory_read, at(address), sizeof(Value));
        return *static_cast<const volatile Value*>(address);
    }
    template <typename Value>
    void write(Value* address, std::type_identity_t<Value> value) {
        announce(Operation::memory_write, at(address), sizeof(Value));
        *static_cast<volatile Value*>(address) = value;
    }

    // Announces an access to these bytes. A crash from here on counts as the caller's.
    void announce(Operation operation, std::uint64_t address, std::uint64_t bytes) const {
        end_probe();
        sanitizer::check(address, bytes, operation != Operation::memory_read);
        raddle_memory_plain(address, bytes, operation == Operation::memory_read ? reads : writes, caller_, nullptr);
        begin_probe(caller_ - 1, nullptr);
    }

    const std::uint64_t caller_;
    const bool visible_;
    int error_;
};

}  // namespace raddle::memory
