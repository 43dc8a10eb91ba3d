// Functions that print without the lock of the stream, wide characters, and messages of libc.
#include <cwchar>

#include "preload/hooks/files/stream_locks.h"
#include "preload/intercept/real.h"
#include "preload/schedule/call_site.h"
#include "preload/schedule/scheduler.h"

namespace raddle::hooks {

using stream_locks::with_lock;
using stream_locks::without_lock;

#define RADDLE_PRINT(lock, type, name, parameters, stream, arguments) \
    type name parameters {                                            \
        return lock(stream, [&] { return real::name arguments; });    \
    }
RADDLE_PRINT(with_lock, int, vfwprintf, (FILE * stream, const wchar_t* format, va_list arguments), stream,
             (stream, format, arguments))
RADDLE_PRINT(with_lock, wint_t, fputwc, (wchar_t letter, FILE* stream), stream, (letter, stream))
RADDLE_PRINT(with_lock, wint_t, putwc, (wchar_t letter, FILE* stream), stream, (letter, stream))
RADDLE_PRINT(with_lock, wint_t, putwchar, (wchar_t letter), stdout, (letter))
RADDLE_PRINT(with_lock, int, fputws, (const wchar_t* text, FILE* stream), stream, (text, stream))
RADDLE_PRINT(with_lock, int, putw, (int word, FILE* stream), stream, (word, stream))
RADDLE_PRINT(without_lock, int, putchar_unlocked, (int byte), stdout, (byte))
RADDLE_PRINT(without_lock, int, putc_unlocked, (int byte, FILE* stream), stream, (byte, stream))
RADDLE_PRINT(without_lock, int, fputc_unlocked, (int byte, FILE* stream), stream, (byte, stream))
RADDLE_PRINT(without_lock, int, fputs_unlocked, (const char* text, FILE* stream), stream, (text, stream))
RADDLE_PRINT(without_lock, size_t, fwrite_unlocked, (const void* from, size_t bytes, size_t count, FILE* stream),
             stream, (from, bytes, count, stream))
RADDLE_PRINT(without_lock, int, fflush_unlocked, (FILE * stream), stream, (stream))
RADDLE_PRINT(without_lock, int, __overflow, (FILE * stream, int byte), stream, (stream, byte))
#undef RADDLE_PRINT
int vwprintf(const wchar_t* format, va_list arguments) { return hooks::vfwprintf(stdout, format, arguments); }

#define RADDLE_MESSAGE(name, parameters, arguments) \
    void name parameters {                          \
        output::announce(stderr);                   \
        real::name arguments;                       \
    }
RADDLE_MESSAGE(perror, (const char* text), (text))
RADDLE_MESSAGE(psignal, (int signal, const char* text), (signal, text))
RADDLE_MESSAGE(vwarn, (const char* format, va_list arguments), (format, arguments))
RADDLE_MESSAGE(vwarnx, (const char* format, va_list arguments), (format, arguments))
#undef RADDLE_MESSAGE

}  // namespace raddle::hooks

// Functions with variable arguments cannot be rows of the table.
#define RADDLE_WARNING(name, way)                                                                                 \
    extern "C" __attribute__((visibility("default"))) void raddle_export_##name(const char*, ...) __asm__(#name); \
    void raddle_export_##name(const char* format, ...) {                                                          \
        using namespace raddle;                                                                                   \
        va_list list;                                                                                             \
        va_start(list, format);                                                                                   \
        RADDLE_NOTE_CALLER(call_site);                                                                            \
        controlled() ? hooks::way(format, list) : real::way(format, list);                                        \
        va_end(list);                                                                                             \
    }
RADDLE_WARNING(warn, vwarn)
RADDLE_WARNING(warnx, vwarnx)
#undef RADDLE_WARNING
#define RADDLE_WIDE(name, parameters, stream)                                                              \
    extern "C" __attribute__((visibility("default"))) int raddle_export_##name parameters __asm__(#name);  \
    int raddle_export_##name parameters {                                                                  \
        using namespace raddle;                                                                            \
        va_list list;                                                                                      \
        va_start(list, format);                                                                            \
        RADDLE_NOTE_CALLER(call_site);                                                                     \
        const int length =                                                                                 \
            controlled() ? hooks::vfwprintf(stream, format, list) : real::vfwprintf(stream, format, list); \
        va_end(list);                                                                                      \
        return length;                                                                                     \
    }
RADDLE_WIDE(wprintf, (const wchar_t* format, ...), stdout)
RADDLE_WIDE(fwprintf, (FILE * stream, const wchar_t* format, ...), stream)
#undef RADDLE_WIDE
