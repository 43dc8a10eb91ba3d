// Atomic accesses through libatomic are actions on memory. The access itself happens when the action is applied. No
// other thread acts before the thread's next action, so a plain access is atomic. Atomic instructions are not seen
// here.
#include <cstring>

#include "preload/intercept/describe.h"

namespace raddle {

namespace {

void announce(Operation operation, const volatile void* object) {
    if (!controlled()) return;
    Action action = on(operation, object);
    action.flags |= flag::contents_unknown;
    act(action);
}

}  // namespace

}  // namespace raddle

using raddle::Operation;

#define RADDLE_ATOMIC(type, name, parameters)                                                              \
    extern "C" __attribute__((visibility("default"))) type raddle_export_##name parameters __asm__(#name); \
    type raddle_export_##name parameters
#define RADDLE_SITE RADDLE_NOTE_CALLER(call_site)

#define RADDLE_FETCH(bytes, type, name, update, expression)                                            \
    RADDLE_ATOMIC(type, __atomic_fetch_##name##_##bytes, (volatile void* object, type operand, int)) { \
        RADDLE_SITE;                                                                                   \
        raddle::announce(Operation::memory_update, object);                                            \
        auto& value = *static_cast<volatile type*>(object);                                            \
        const type before = value;                                                                     \
        value = static_cast<type>(expression);                                                         \
        return before;                                                                                 \
    }                                                                                                  \
    RADDLE_ATOMIC(type, __atomic_##name##_fetch_##bytes, (volatile void* object, type operand, int)) { \
        RADDLE_SITE;                                                                                   \
        raddle::announce(Operation::memory_update, object);                                            \
        auto& value = *static_cast<volatile type*>(object);                                            \
        const type before = value;                                                                     \
        const auto after = static_cast<type>(expression);                                              \
        value = after;                                                                                 \
        return after;                                                                                  \
    }

#define RADDLE_SIZE(bytes, type)                                                               \
    RADDLE_ATOMIC(type, __atomic_load_##bytes, (const volatile void* object, int)) {           \
        RADDLE_SITE;                                                                           \
        raddle::announce(Operation::memory_read, object);                                      \
        return *static_cast<const volatile type*>(object);                                     \
    }                                                                                          \
    RADDLE_ATOMIC(void, __atomic_store_##bytes, (volatile void* object, type value, int)) {    \
        RADDLE_SITE;                                                                           \
        raddle::announce(Operation::memory_write, object);                                     \
        *static_cast<volatile type*>(object) = value;                                          \
    }                                                                                          \
    RADDLE_ATOMIC(type, __atomic_exchange_##bytes, (volatile void* object, type value, int)) { \
        RADDLE_SITE;                                                                           \
        raddle::announce(Operation::memory_update, object);                                    \
        const type before = *static_cast<volatile type*>(object);                              \
        *static_cast<volatile type*>(object) = value;                                          \
        return before;                                                                         \
    }                                                                                          \
    RADDLE_ATOMIC(bool, __atomic_compare_exchange_##bytes,                                     \
                  (volatile void* object, void* expected, type wanted, bool, int, int)) {      \
        RADDLE_SITE;                                                                           \
        raddle::announce(Operation::memory_update, object);                                    \
        const type before = *static_cast<volatile type*>(object);                              \
        if (before == *static_cast<type*>(expected)) {                                         \
            *static_cast<volatile type*>(object) = wanted;                                     \
            return true;                                                                       \
        }                                                                                      \
        *static_cast<type*>(expected) = before;                                                \
        return false;                                                                          \
    }                                                                                          \
    RADDLE_FETCH(bytes, type, add, add, before + operand)                                      \
    RADDLE_FETCH(bytes, type, sub, sub, before - operand)                                      \
    RADDLE_FETCH(bytes, type, and, and, before& operand)                                       \
    RADDLE_FETCH(bytes, type, or, or, before | operand)                                        \
    RADDLE_FETCH(bytes, type, xor, xor, before ^ operand)                                      \
    RADDLE_FETCH(bytes, type, nand, nand, ~(before & operand))

RADDLE_SIZE(1, std::uint8_t)
RADDLE_SIZE(2, std::uint16_t)
RADDLE_SIZE(4, std::uint32_t)
RADDLE_SIZE(8, std::uint64_t)
__extension__ typedef unsigned __int128 Sixteen;
RADDLE_SIZE(16, Sixteen)

// Objects of any size.
RADDLE_ATOMIC(void, __atomic_load, (std::size_t bytes, const void* object, void* result, int)) {
    RADDLE_SITE;
    raddle::announce(Operation::memory_read, object);
    std::memcpy(result, object, bytes);
}

RADDLE_ATOMIC(void, __atomic_store, (std::size_t bytes, void* object, const void* value, int)) {
    RADDLE_SITE;
    raddle::announce(Operation::memory_write, object);
    std::memcpy(object, value, bytes);
}

RADDLE_ATOMIC(void, __atomic_exchange, (std::size_t bytes, void* object, const void* value, void* result, int)) {
    RADDLE_SITE;
    raddle::announce(Operation::memory_update, object);
    std::memcpy(result, object, bytes);
    std::memcpy(object, value, bytes);
}

RADDLE_ATOMIC(bool, __atomic_compare_exchange,
              (std::size_t bytes, void* object, void* expected, const void* wanted, int, int)) {
    RADDLE_SITE;
    raddle::announce(Operation::memory_update, object);
    if (std::memcmp(object, expected, bytes) == 0) {
        std::memcpy(object, wanted, bytes);
        return true;
    }
    std::memcpy(expected, object, bytes);
    return false;
}
