// What a thread's stack holds is part of the state in which it spins (spinning.cpp), and has to be a function of its past.
// When others write there is none of that, until it looks: then, as variables that threads share are visible, there is an
// action. So of each such word the value is kept that its owner left or met last.
#include <cstring>

#include "preload/memory/foreign_writes.h"

namespace raddle::memory::foreign_writes {

bool is_writing = false;

namespace {

struct View {
    std::uint64_t at;
    std::uint64_t known;    // to the owner
    std::uint64_t written;  // by others, last
    std::uint64_t foreign;  // of these bytes, eight bits each
    bool is_open;           // somebody is writing
};
constexpr std::uint32_t most_views = 64;
View all[most_views];
std::uint32_t count = 0;
bool lost = false;

View* view_of(std::uint64_t at) {
    for (std::uint32_t i = 0; i < count; ++i)
        if (all[i].at == at) return &all[i];
    return nullptr;
}

// Of the word at `at`, the bytes from `begin` to `end`.
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

bool any() { return count != 0; }
bool are_lost() { return lost; }

// Where something else is by now than others wrote, the owner has used the place for something else, which need not be seen.
std::uint64_t as_owner_knows(std::uint64_t at, std::uint64_t word) {
    View* view = view_of(at);
    if (view == nullptr) return word;
    if (((word ^ view->written) & view->foreign) == 0) return (word & ~view->foreign) | (view->known & view->foreign);
    *view = all[--count];
    return word;
}

void about_to_write(std::uint64_t address, std::uint64_t bytes) {
    for (std::uint64_t at = address & ~std::uint64_t{7}; at < address + bytes; at += 8) {
        View* view = view_of(at);
        if (view == nullptr && count == most_views) {
            lost = true;
            return;
        }
        if (view == nullptr) {
            view = &all[count++];
            *view = {};
            view->at = at;
        }
        const std::uint64_t fresh = bits_in(at, address, address + bytes) & ~view->foreign;
        view->known = (view->known & ~fresh) | (word_at(at) & fresh);
        view->foreign |= fresh;
        view->is_open = is_writing = true;
    }
}

// Nobody else has run since.
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
