#include "preload/hooks/files/stream_locks.h"

#include <cstring>

#include "preload/intercept/callbacks.h"
#include "preload/intercept/describe.h"
#include "preload/intercept/real.h"
#include "preload/memory/calls/effects.h"

namespace raddle {

namespace stream_locks {
std::uint32_t held = 0;

namespace {

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

}  // namespace

void lock(const FILE* stream) { act(on_stream(Operation::mutex_lock, stream)); }
bool try_lock(const FILE* stream) { return act(on_stream(Operation::mutex_trylock, stream)).effect == Effect::done; }
void unlock(const FILE* stream) {
    const int error = errno;
    act(on_stream(Operation::mutex_unlock, stream));
    errno = error;
}

}  // namespace stream_locks

namespace {

using stream_locks::held;
using stream_locks::with_lock;

std::ptrdiff_t unwritten(const FILE* stream) { return stream->_IO_write_ptr - stream->_IO_write_base; }
bool is_unbuffered(const FILE* stream) {
    constexpr int unbuffered = 2;  // _IO_UNBUFFERED
    return (stream->_flags & unbuffered) != 0;
}

// libc acts on a cancellation where it writes the descriptor: at once if the stream has no buffer, and else where the
// buffer now holds less than was put into it. The bytes are written in any case, then or at exit. `put`: bytes, from
// the result.
template <typename Print, typename Put>
auto in_turn(FILE* stream, Print print, Put put) {
    if (!cancellation::armed || stream == nullptr) [[likely]]
        return with_lock(stream, print);
    if (is_unbuffered(stream)) cancellation::point();
    std::ptrdiff_t before = 0;
    const auto result = with_lock(stream, [&] {
        before = unwritten(stream);
        return print();
    });
    if (!is_unbuffered(stream) && unwritten(stream) < before + put(result)) {
        const int error = errno;
        cancellation::point();
        errno = error;
    }
    return result;
}
std::ptrdiff_t one_byte(int result) { return result == EOF ? 0 : 1; }

}  // namespace

namespace hooks {

void flockfile(FILE* stream) {
    ++held;  // from now on printing functions announce actions
    stream_locks::lock(stream);
    real::flockfile(stream);
}

int ftrylockfile(FILE* stream) {
    ++held;
    if (stream_locks::try_lock(stream)) return real::ftrylockfile(stream);
    --held;
    return EBUSY;
}

void funlockfile(FILE* stream) {
    real::funlockfile(stream);
    stream_locks::unlock(stream);
    if (held > 0) --held;
}

int vfprintf(FILE* stream, const char* format, va_list arguments) {
    return in_turn(
        stream, [&] { return real::vfprintf(stream, format, arguments); },
        [](int length) { return std::ptrdiff_t{length < 0 ? 0 : length}; });
}
int vprintf(const char* format, va_list arguments) { return hooks::vfprintf(stdout, format, arguments); }
int puts(const char* text) {
    return in_turn(
        stdout, [&] { return real::puts(text); },
        [&](int result) { return result == EOF ? 0 : static_cast<std::ptrdiff_t>(std::strlen(text)) + 1; });
}
int fputs(const char* text, FILE* stream) {
    return in_turn(
        stream, [&] { return real::fputs(text, stream); },
        [&](int result) { return result == EOF ? 0 : static_cast<std::ptrdiff_t>(std::strlen(text)); });
}
int putchar(int byte) { return hooks::putc(byte, stdout); }
int fputc(int byte, FILE* stream) { return hooks::putc(byte, stream); }
int putc(int byte, FILE* stream) {
    return in_turn(
        stream, [&] { return real::putc(byte, stream); }, one_byte);
}
size_t fwrite(const void* from, size_t bytes, size_t count, FILE* stream) {
    return in_turn(
        stream, [&] { return real::fwrite(from, bytes, count, stream); },
        [&](std::size_t written) { return static_cast<std::ptrdiff_t>(written * bytes); });
}
int fflush(FILE* stream) {
    if (stream == nullptr) return output::flush_all();
    // Other threads decide what the buffer holds, so the thread looks when it has its turn.
    if (cancellation::armed) output::announce(stream);
    if (unwritten(stream) > 0) cancellation::point();
    return with_lock(stream, [&] { return real::fflush(stream); });
}

}  // namespace hooks

}  // namespace raddle

// Functions with variable arguments cannot be rows of the table.
#define RADDLE_PRINTING(stream, name, parameters)                                                                     \
    extern "C" __attribute__((visibility("default"))) int raddle_export_##name parameters __asm__(#name);             \
    int raddle_export_##name parameters {                                                                             \
        using namespace raddle;                                                                                       \
        va_list arguments;                                                                                            \
        va_start(arguments, format);                                                                                  \
        RADDLE_NOTE_CALLER(call_site);                                                                                \
        const int length = controlled() ? memory::effects::follow<memory::effects::rows_of("vfprintf")>(              \
                                              call_site, [&] { return hooks::vfprintf(stream, format, arguments); })( \
                                              stream, format, arguments)                                              \
                                        : real::vfprintf(stream, format, arguments);                                  \
        va_end(arguments);                                                                                            \
        return length;                                                                                                \
    }
RADDLE_PRINTING(stdout, printf, (const char* format, ...))
RADDLE_PRINTING(stream, fprintf, (FILE * stream, const char* format, ...))
#undef RADDLE_PRINTING
