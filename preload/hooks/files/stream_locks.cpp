// flockfile and its family: a stream's lock is a recursive mutex of the machine. libc's own lock is then always free.
// A printing function holds libc's lock only within one call, and no other thread acts during that call; so it
// announces an action only while some thread holds a stream.
#include <cstdio>

#include "preload/intercept/describe.h"
#include "preload/intercept/real.h"

namespace raddle {

namespace {

std::uint32_t held = 0;  // number of stream locks held

Action on_stream(Operation operation, const FILE* stream) {
    Action action = on(operation, stream);
    action.object.offset += 1;  // the first byte may be an object of its own
    action.attributes = static_cast<std::uint8_t>(MutexType::recursive);
    // The stream at this address is a new one if its lock ended with the memory of the old one.
    const ObjectSlot slot = scheduler::machine().find_object(action.object);
    const bool ended = slot != no_slot && scheduler::machine().object(slot).state == ObjectState::destroyed;
    if (ended && scheduler::current().found != Misuse::freed_memory) {
        Action init = action;
        init.operation = Operation::mutex_init;
        act(init);
    }
    return action;
}

template <typename Print>
auto in_turn(FILE* stream, Print print) {
    if (held == 0 || stream == nullptr) [[likely]]
        return print();
    act(on_stream(Operation::mutex_lock, stream));
    const auto result = print();
    const int error = errno;
    act(on_stream(Operation::mutex_unlock, stream));
    errno = error;
    return result;
}

}  // namespace

namespace hooks {

void flockfile(FILE* stream) {
    ++held;  // from now on printing functions announce actions
    act(on_stream(Operation::mutex_lock, stream));
    real::flockfile(stream);
}

int ftrylockfile(FILE* stream) {
    ++held;
    if (act(on_stream(Operation::mutex_trylock, stream)).effect == Effect::done) return real::ftrylockfile(stream);
    --held;
    return EBUSY;
}

void funlockfile(FILE* stream) {
    real::funlockfile(stream);
    act(on_stream(Operation::mutex_unlock, stream));
    if (held > 0) --held;
}

int vfprintf(FILE* stream, const char* format, va_list arguments) {
    return in_turn(stream, [&] { return real::vfprintf(stream, format, arguments); });
}
int vprintf(const char* format, va_list arguments) { return hooks::vfprintf(stdout, format, arguments); }
int puts(const char* text) {
    return in_turn(stdout, [&] { return real::puts(text); });
}
int fputs(const char* text, FILE* stream) {
    return in_turn(stream, [&] { return real::fputs(text, stream); });
}
int putchar(int byte) { return hooks::putc(byte, stdout); }
int fputc(int byte, FILE* stream) { return hooks::putc(byte, stream); }
int putc(int byte, FILE* stream) {
    return in_turn(stream, [&] { return real::putc(byte, stream); });
}
size_t fwrite(const void* from, size_t bytes, size_t count, FILE* stream) {
    return in_turn(stream, [&] { return real::fwrite(from, bytes, count, stream); });
}
int fflush(FILE* stream) {
    return in_turn(stream, [&] { return real::fflush(stream); });
}

}  // namespace hooks

}  // namespace raddle

// Functions with variable arguments cannot be rows of the table.
#define RADDLE_PRINTING(stream, name, parameters)                                                                  \
    extern "C" __attribute__((visibility("default"))) int raddle_export_##name parameters __asm__(#name);          \
    int raddle_export_##name parameters {                                                                          \
        using namespace raddle;                                                                                    \
        va_list arguments;                                                                                         \
        va_start(arguments, format);                                                                               \
        call_site = __builtin_return_address(0);                                                                   \
        const int length =                                                                                         \
            controlled() ? hooks::vfprintf(stream, format, arguments) : real::vfprintf(stream, format, arguments); \
        va_end(arguments);                                                                                         \
        return length;                                                                                             \
    }
RADDLE_PRINTING(stdout, printf, (const char* format, ...))
RADDLE_PRINTING(stream, fprintf, (FILE * stream, const char* format, ...))
#undef RADDLE_PRINTING
