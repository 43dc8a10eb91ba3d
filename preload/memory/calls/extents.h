// The columns of call_effects.def: how much memory a row speaks of, and when.
#pragma once

#include <cstddef>
#include <cstdint>

#include "preload/memory/calls/hidden_state.h"

namespace raddle::memory::effects {

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
    wide_text,
    wide_text_of,
    text_at,
    wide_text_at,
    number,
    wide_number,
    character,
    advanced,
    family,
    pages,
    state,
    command,
    request,
    letter,
    letter_taken,
    if_command,
    printed,
    scanned,
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

// Limits that stand in the row: argument a is 0.
constexpr Extent text_up_to(std::size_t size) { return {Kind::text_of, 1, 0, 0, static_cast<std::uint32_t>(size)}; }
constexpr Extent result_up_to(std::size_t size) { return {Kind::result, 1, 0, 0, static_cast<std::uint32_t>(size)}; }
constexpr std::uint8_t wide = sizeof(wchar_t);
constexpr Extent wide_text() { return {Kind::wide_text, wide}; }
constexpr Extent wide_text_within(std::uint8_t a) { return {Kind::wide_text, wide, a}; }
constexpr Extent wide_text_of(std::uint8_t a) { return {Kind::wide_text_of, wide, a}; }
constexpr Extent text_at() { return {Kind::text_at, 1}; }
constexpr Extent wide_text_at() { return {Kind::wide_text_at, wide}; }
constexpr Extent number() { return {Kind::number, 1}; }
constexpr Extent wide_number() { return {Kind::wide_number, wide}; }
constexpr Extent character(std::uint8_t a) { return {Kind::character, 1, a}; }
constexpr Extent advanced(std::uint8_t a) { return {Kind::advanced, 1, a}; }
constexpr Extent of_family(std::uint8_t a) { return {Kind::family, 4, a}; }
using hidden_state::State;
constexpr Extent state(State which) { return {Kind::state, widest, static_cast<std::uint8_t>(which)}; }
constexpr Extent locked(State which) { return {Kind::state, widest, static_cast<std::uint8_t>(which), 1}; }
constexpr Extent of_command(std::uint8_t a) { return {Kind::command, widest, a}; }
constexpr Extent of_request(std::uint8_t a) { return {Kind::request, widest, a}; }
constexpr Extent letter(std::uint8_t a) { return {Kind::letter, widest, a}; }
constexpr Extent letter_taken(std::uint8_t a) { return {Kind::letter_taken, widest, a}; }
constexpr Extent if_command(std::uint8_t a, int command, std::size_t size) {
    return {Kind::if_command, widest, a, 0, static_cast<std::uint32_t>(size), 0, static_cast<std::uint32_t>(command)};
}
constexpr Extent printed(std::uint8_t a) { return {Kind::printed, widest, a}; }
constexpr Extent wide_printed(std::uint8_t a) { return {Kind::printed, widest, a, 1}; }
constexpr Extent scanned(std::uint8_t a) { return {Kind::scanned, widest, a}; }
constexpr Extent wide_scanned(std::uint8_t a) { return {Kind::scanned, widest, a, 1}; }
constexpr Extent pages(std::uint8_t a) { return {Kind::pages, 1, a}; }

enum class When : std::uint8_t {
    before,
    early,
    if_zero,
    if_not_zero,
    if_not_negative,
    if_positive,
    if_not_null,
    always,
    if_itself,
    if_static,
};

inline constexpr std::uint8_t in_libc = 15;  // in place of an argument: the memory is a state of libc

struct Row {
    std::uint8_t mode, argument;
    Extent extent;
    When when;
};

extern const Row table[];  // call_effects.def

// Whether the call has written the memory at `address`.
bool is_true(When when, std::uint64_t result, std::uint64_t address);
// How much memory at `address` the call may access, by its arguments and the content of memory.
std::uint64_t bytes_of(const Row& row, std::uint64_t address, const std::uint64_t* arguments);

inline constexpr std::uint64_t no_end = ~std::uint64_t{0} >> 8;
std::uint64_t bytes_of_wide_text(std::uint64_t address, std::uint64_t most);  // most: characters
std::uint64_t bytes_of_text(std::uint64_t address, bool has_wide_characters);

template <typename Value>
Value value_at(std::uint64_t address) {
    Value value;
    __builtin_memcpy(&value, reinterpret_cast<const void*>(address), sizeof value);
    return value;
}

}  // namespace raddle::memory::effects
