#include "preload/memory/calls/call_classes.h"

#include <cstddef>

namespace raddle::memory {

namespace {

// Functions with effects: a name for each row, so most names stand here several times in a row.
constexpr const char* followed[] = {
#define RADDLE_EFFECT(name, ...) #name,
#include "preload/memory/calls/call_effects.def"
#define RADDLE_MEMORY_FUNCTION(type, name, ...) #name,
#define RADDLE_STATEFUL_FUNCTION RADDLE_MEMORY_FUNCTION
#include "preload/memory/calls/functions.def"
#define RADDLE_PLAIN_CALL(...)
#define RADDLE_PLAIN_CALL_OF(...)
#define RADDLE_PRINTING_CALL(name, ...) #name,
#define RADDLE_PRINTING_LIST(name, ...) #name,
#include "preload/memory/calls/plain_calls.def"
};

// Names with blanks between them. A star at the end of a name stands for any further characters.
struct Group {
    const char* names;
    bool mathematics;
};
constexpr Group unaffected[] = {
#define RADDLE_UNAFFECTED(reason, names) {names, false},
#define RADDLE_UNAFFECTED_MATHEMATICS(names) {names, true},
#include "preload/memory/calls/unaffected_calls.def"
};

constexpr bool ends_name(char here) { return here == 0 || here == ' '; }

constexpr bool has_name(const char* names, const char* name, std::size_t length) {
    for (const char* at = names; *at != 0; ++at) {
        std::size_t same = 0;
        while (same < length && at[same] == name[same]) ++same;
        if ((same == length && ends_name(at[same])) || (at[same] == '*' && !ends_name(at[0]))) return true;
        while (!ends_name(*at)) ++at;
        if (*at == 0) break;
    }
    return false;
}

constexpr bool is_one_of(const char* name, std::size_t length, const char* const* texts, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
        std::size_t same = 0;
        while (same < length && texts[i][same] == name[same]) ++same;
        if (same == length && texts[i][same] == 0) return true;
    }
    return false;
}

// The name without what stands for a type: "cosf64x" and "__cosl_finite" are cos.
bool is_mathematics(const char* names, const char* name, std::size_t length) {
    constexpr const char* types[] = {"", "f", "l", "f16", "bf16", "f32", "f64", "f128", "f32x", "f64x"};
    constexpr const char* finite = "_finite";
    constexpr std::size_t finite_length = 7;
    if (length > finite_length + 2 && name[0] == '_' && name[1] == '_' &&
        is_one_of(name + length - finite_length, finite_length, &finite, 1)) {
        name += 2;
        length -= finite_length + 2;
    }
    for (const char* const type : types) {
        std::size_t bytes = 0;
        while (type[bytes] != 0) ++bytes;
        if (bytes < length && is_one_of(name + length - bytes, bytes, &type, 1) &&
            has_name(names, name, length - bytes))
            return true;
    }
    return false;
}

}  // namespace

CallClass class_of_call(const char* name) {
    std::size_t length = 0;
    while (name[length] != 0) ++length;
    if (is_one_of(name, length, followed, sizeof followed / sizeof followed[0])) return CallClass::followed;
    for (const Group& group : unaffected)
        if (group.mathematics ? is_mathematics(group.names, name, length) : has_name(group.names, name, length))
            return CallClass::unaffected;
    return CallClass::not_looked_at;
}

}  // namespace raddle::memory
