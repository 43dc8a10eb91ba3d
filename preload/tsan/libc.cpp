// Functions of libc that programs linked against libtsan take from there, because libc has them only in its static
// part.
#include "preload/tsan/exported.h"

extern "C" {

int __cxa_atexit(void (*function)(void*), void* argument, void* module);

RADDLE_TSAN int atexit(void (*function)()) {
    return __cxa_atexit(reinterpret_cast<void (*)(void*)>(function), nullptr, nullptr);
}

}  // extern "C"
