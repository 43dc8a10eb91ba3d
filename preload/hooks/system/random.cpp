// Random numbers depend only on the thread and on how many it has drawn, so they repeat in every execution. Opening
// the random device returns a file of such numbers, which starts again at its end.
#include "preload/hooks/system/random.h"

#include <cstring>

#include "preload/base/raw.h"
#include "preload/hooks/files/descriptors.h"
#include "preload/hooks/system/memory_file.h"
#include "preload/intercept/real.h"

namespace raddle {

namespace {

constexpr std::size_t device_bytes = 1 << 16;

void fill(void* buffer, std::size_t bytes) {
    Thread& me = scheduler::current();
    auto* at = static_cast<char*>(buffer);
    while (bytes > 0) {
        const std::uint64_t word = mix64(mix64(me.id.code + 0x9e3779b97f4a7c15ULL) + ++me.random_words);
        const std::size_t part = bytes < sizeof word ? bytes : sizeof word;
        std::memcpy(at, &word, part);
        at += part;
        bytes -= part;
    }
}

bool write_numbers(int fd) {
    char numbers[4096];
    for (std::size_t at = 0; at < device_bytes; at += sizeof numbers) {
        fill(numbers, sizeof numbers);
        if (raw::call(SYS_pwrite64, fd, numbers, sizeof numbers, at) != sizeof numbers) return false;
    }
    return true;
}

}  // namespace

bool random_device::is_path(const char* path) {
    return path != nullptr && (std::strcmp(path, "/dev/urandom") == 0 || std::strcmp(path, "/dev/random") == 0);
}

long random_device::open(int flags) { return open_memory_file("random numbers", flags, write_numbers); }

namespace hooks {

ssize_t getrandom(void* buffer, size_t bytes, unsigned) {
    fill(buffer, bytes);
    return static_cast<ssize_t>(bytes);
}

int getentropy(void* buffer, size_t bytes) {
    if (bytes > 256) return as_errno::refused(EIO);
    fill(buffer, bytes);
    return 0;
}

std::uint32_t arc4random() {
    std::uint32_t number;
    fill(&number, sizeof number);
    return number;
}

void arc4random_buf(void* buffer, size_t bytes) { fill(buffer, bytes); }

std::uint32_t arc4random_uniform(std::uint32_t bound) { return bound < 2 ? 0 : arc4random() % bound; }

// std::random_device would otherwise ask the processor.
unsigned _ZNSt13random_device9_M_getvalEv(void*) {
    unsigned number = 0;
    if (controlled())
        fill(&number, sizeof number);
    else
        raw::call(SYS_getrandom, &number, sizeof number, 0);
    return number;
}
unsigned _ZNSt13random_device16_M_getval_pretr1Ev(void* device) { return _ZNSt13random_device9_M_getvalEv(device); }

}  // namespace hooks

}  // namespace raddle
