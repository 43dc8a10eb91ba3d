// The content of a thread's stack is part of the state in which it spins (spinning.cpp), and that state has to be a
// function of the thread's own past. A write by another thread is no part of that past until the owner reads the word;
// that read is an action, because shared variables are visible. So for each word that others wrote, this keeps the
// value that its owner wrote or read last.
#include <cstring>

#include "preload/memory/foreign_writes.h"

namespace raddle::memory::foreign_writes {

bool is_writing = false;
std::uint32_t count = 0;
std::uint64_t marks = 0;

namespace {

struct ForeignWord {
    std::uint64_t at;
    std::uint64_t known;    // the word as the owner knows it
    std::uint64_t written;  // the word after the last write by another thread
    std::uint64_t foreign;  // the bytes that others wrote, eight bits each
    bool is_open;           // a write is under way
};
constexpr std::uint32_t most_words = 64;
ForeignWord all[most_words];
bool lost = false;

ForeignWord* find(std::uint64_t at) {
    for (std::uint32_t i = 0; i < count; ++i)
        if (all[i].at == at) return &all[i];
    return nullptr;
}

// A mask of the bytes of the word at `at` that lie between `begin` and `end`.
std::uint64_t bits_in(std::uint64_t at, std::uint64_t begin, std::uint64_t end) {
    std::uint64_t bits = 0;
    for (unsigned byte = 0; byte < 8; ++byte)
        if (at + byte >= begin && at + byte < end) bits |= std::uint64_t{0xff} << 8 * byte;
    return bits;
}

std::uint64_t word_at(std::uint64_t at) {
    std::uint64_t word;
    std::memcpy(&word, reinterpret_cast<const void*>(at), sizeof word);
    return word;
}

}  // namespace

bool any_in(std::uint64_t begin, std::uint64_t end) {
    for (std::uint32_t i = 0; i < count; ++i)
        if (all[i].at + 8 > begin && all[i].at < end) return true;
    return false;
}

bool are_lost() { return lost; }

// If the word differs from what others wrote, the owner has since used it for another variable, perhaps without an
// action.
std::uint64_t as_owner_knows(std::uint64_t at, std::uint64_t word) {
    ForeignWord* entry = find(at);
    if (entry == nullptr) return word;
    if (((word ^ entry->written) & entry->foreign) == 0)
        return (word & ~entry->foreign) | (entry->known & entry->foreign);
    *entry = all[--count];
    return word;
}

void about_to_write(std::uint64_t address, std::uint64_t bytes) {
    for (std::uint64_t at = address & ~std::uint64_t{7}; at < address + bytes; at += 8) {
        ForeignWord* entry = find(at);
        if (entry == nullptr && count == most_words) {
            lost = true;
            return;
        }
        if (entry == nullptr) {
            entry = &all[count++];
            *entry = {};
            entry->at = at;
            marks |= mark_of(at);
        }
        const std::uint64_t fresh = bits_in(at, address, address + bytes) & ~entry->foreign;
        entry->known = (entry->known & ~fresh) | (word_at(at) & fresh);
        entry->foreign |= fresh;
        entry->is_open = is_writing = true;
    }
}

// No other thread has run since about_to_write().
void wrote() {
    for (std::uint32_t i = 0; i < count; ++i) {
        if (!all[i].is_open) continue;
        all[i].written = word_at(all[i].at);
        all[i].is_open = false;
    }
    is_writing = false;
}

void owner_accesses(std::uint64_t address, std::uint64_t bytes) {
    for (std::uint32_t i = count; i-- > 0;) {
        all[i].foreign &= ~bits_in(all[i].at, address, address + bytes);
        if (all[i].foreign == 0) all[i] = all[--count];
    }
}

}  // namespace raddle::memory::foreign_writes
