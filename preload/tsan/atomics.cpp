// Atomic accesses. The compiler calls one of these functions instead of the atomic instruction. The function announces
// the access and then does it, atomically: without the shim, other threads run at the same time. Every memory order is
// treated as the strictest.
#include "preload/tsan/exported.h"

namespace {

using namespace raddle::memory;

template <typename Value>
inline void announce(const Caller& caller, Called what, const volatile Value* address, Value operand = 0,
                     Value expected = 0, const Value* expected_at = nullptr) {
    if (raddle_memory_called != nullptr)
        raddle_memory_called({what, reinterpret_cast<std::uint64_t>(address), sizeof(Value),
                              static_cast<std::uint64_t>(operand), static_cast<std::uint64_t>(expected), expected_at},
                             caller);
}

// The expected value of a compare-exchange lies in memory, too, usually in the thread's own. Its accesses are reported
// under a call site of their own, one byte before.
template <typename Value>
inline void announce_expected(const Caller& caller, const Value* expected, std::uint8_t mode) {
    if (raddle_memory_plain != nullptr)
        raddle_memory_plain(reinterpret_cast<std::uint64_t>(expected), sizeof(Value), mode, caller.call - 1, nullptr);
}

template <typename Value>
inline Value exchange_if(volatile Value* address, Value expected, Value wanted) {
    return __sync_val_compare_and_swap(address, expected, wanted);
}

// Updates by compare-exchange: there is an instruction for every width.
template <typename Value, typename Make>
inline Value updated(volatile Value* address, Make make) {
    Value before = *address;
    for (;;) {
        const Value found = exchange_if(address, before, static_cast<Value>(make(before)));
        if (found == before) return before;
        before = found;
    }
}

// Sixteen bytes are read by an exchange that changes nothing. It faults on read-only memory; libatomic has the same
// limitation.
template <typename Value>
inline Value load(const volatile Value* address) {
    if constexpr (sizeof(Value) == 16)
        return exchange_if(const_cast<volatile Value*>(address), Value{0}, Value{0});
    else
        return __atomic_load_n(address, __ATOMIC_SEQ_CST);
}

template <typename Value>
inline bool compare_exchange(const Caller& caller, volatile Value* address, Value* expected, Value wanted) {
    announce_expected(caller, expected, reads);
    const Value wished = *expected;
    announce(caller, Called::compare_exchange, address, wanted, wished, expected);
    const Value found = exchange_if(address, wished, wanted);
    if (found == wished) return true;
    announce_expected(caller, expected, writes);
    *expected = found;
    return false;
}

}  // namespace

extern "C" {

__extension__ typedef unsigned __int128 Sixteen;

#define RADDLE_FETCH(bits, type, name, what, expression)                                                     \
    RADDLE_REPORTS(type, __tsan_atomic##bits##_fetch_##name, (volatile type * address, type operand, int)) { \
        announce<type>(RADDLE_CALLER, Called::what, address, operand);                                       \
        return updated(address, [operand](type value) { return expression; });                               \
    }
#define RADDLE_WIDTH(bits, type)                                                                       \
    RADDLE_REPORTS(type, __tsan_atomic##bits##_load, (const volatile type* address, int)) {            \
        announce<type>(RADDLE_CALLER, Called::load, address);                                          \
        return load(address);                                                                          \
    }                                                                                                  \
    RADDLE_REPORTS(void, __tsan_atomic##bits##_store, (volatile type * address, type value, int)) {    \
        announce<type>(RADDLE_CALLER, Called::store, address, value);                                  \
        updated(address, [value](type) { return value; });                                             \
    }                                                                                                  \
    RADDLE_FETCH(bits, type, add, add, value + operand)                                                \
    RADDLE_FETCH(bits, type, sub, subtract, value - operand)                                           \
    RADDLE_FETCH(bits, type, and, bit_and, value& operand)                                             \
    RADDLE_FETCH(bits, type, or, bit_or, value | operand)                                              \
    RADDLE_FETCH(bits, type, xor, bit_xor, value ^ operand)                                            \
    RADDLE_FETCH(bits, type, nand, bit_nand, ~(value & operand))                                       \
    RADDLE_REPORTS(type, __tsan_atomic##bits##_exchange, (volatile type * address, type value, int)) { \
        announce<type>(RADDLE_CALLER, Called::exchange, address, value);                               \
        return updated(address, [value](type) { return value; });                                      \
    }                                                                                                  \
    RADDLE_REPORTS(int, __tsan_atomic##bits##_compare_exchange_strong,                                 \
                   (volatile type * address, type * expected, type wanted, int, int)) {                \
        return compare_exchange(RADDLE_CALLER, address, expected, wanted);                             \
    }                                                                                                  \
    RADDLE_REPORTS(int, __tsan_atomic##bits##_compare_exchange_weak,                                   \
                   (volatile type * address, type * expected, type wanted, int, int)) {                \
        return compare_exchange(RADDLE_CALLER, address, expected, wanted);                             \
    }                                                                                                  \
    RADDLE_REPORTS(type, __tsan_atomic##bits##_compare_exchange_val,                                   \
                   (volatile type * address, type expected, type wanted, int, int)) {                  \
        announce<type>(RADDLE_CALLER, Called::compare_exchange, address, wanted, expected);            \
        return exchange_if(address, expected, wanted);                                                 \
    }

RADDLE_WIDTH(8, unsigned char)
RADDLE_WIDTH(16, unsigned short)
RADDLE_WIDTH(32, unsigned int)
RADDLE_WIDTH(64, unsigned long)
RADDLE_WIDTH(128, Sixteen)

RADDLE_TSAN void __tsan_atomic_thread_fence(int) { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
RADDLE_TSAN void __tsan_atomic_signal_fence(int) { __atomic_signal_fence(__ATOMIC_SEQ_CST); }

}  // extern "C"
