// Random numbers are a function of the thread and of how many it drew: the same in every execution.
#include <cstring>

#include "preload/describe.h"
#include "preload/real.h"

namespace raddle::irregular {

namespace {
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
}  // namespace

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

}  // namespace raddle::irregular
