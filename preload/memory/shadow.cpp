// For each aligned word: the first thread that accessed it, whether another one did, and the locks that all of them
// held. For each pair of instruction and word: that the instruction accessed the word. report() then finds the
// instructions that accessed shared, written memory without a common lock.
#include <cstring>

#include "preload/memory/checks/filter_changes.h"
#include "preload/memory/heap_blocks.h"
#include "preload/memory/lockset.h"
#include "preload/memory/map.h"
#include "preload/memory/passed_code.h"
#include "preload/memory/runtime_variables.h"
#include "preload/memory/shadow.h"
#include "preload/memory/stack_ends.h"
#include "preload/schedule/canonical.h"
#include "preload/schedule/scheduler.h"
#include "preload/schedule/shared_memory.h"

namespace raddle::memory::shadow {

namespace {

constexpr std::uint8_t written = 1, by_several = 2, by_atomics = 4, guarded = 8;

struct Word {
    std::uint64_t id;     // address of the word
    std::uint32_t first;  // arena of the first thread plus one; accesses while a thread was alone do not count
    std::uint8_t flags;
    std::uint8_t known, asked;    // joined bytes: as the description says; whether it was asked
    std::uint8_t joined, starts;  // joined bytes, and beginnings of variables, in this execution
    std::uint8_t has_first;
    std::uint8_t renewed;       // written by its thread since the frames there ended
    std::uint8_t freed;         // bytes where freed variables begin
    std::uint16_t widths;       // widths of the variables that begin at each byte: two bits each, the logarithm
    std::uint64_t first_value;  // the value of the word when a variable in it was first named
    lockset::Lockset locks;     // held at every access; `guarded`: there is one
};

struct Touch {
    std::uint64_t id;  // cache_key(): word and site
};

Map<Word> words;
Map<Touch> touches;

// A word that is mapped twice is one word.
std::uint64_t id_of(std::uint64_t address) { return shared_memory::common_address(address); }

}  // namespace

void make_visible(std::uint32_t site) {
    if (site >= patches.header->site_count) return mark_call(site);
    if (patches.arming[site] == Arming::visible) return;
    channel::Channel& channel = *scheduler::shared();
    if (channel.memory_found[site] != 0) return;
    channel.memory_found[site] = 1;
    ++channel.result.memory_found;
}

namespace {

bool is_of_interest(const Word& word) {
    if ((word.flags & by_several) == 0 || (word.flags & written) == 0) return false;
    if ((word.flags & by_atomics) != 0) return true;
    return patches.header->atomics_only == 0 && (word.flags & guarded) == 0;
}

// With independence by values, every value that a thread reads has to be known, whatever locks it holds.
bool locks_count() { return scheduler::machine().options().independence != Independence::values; }

// Whether later accesses like this one may bring something new about the word.
bool add_access(Word& word, std::uint8_t mode) {
    const lockset::Ordering& now = lockset::current();
    const bool is_first = word.first == 0;
    if (now.alone && locks_count()) return true;
    if (is_first) word.first = current_arena + 1;
    if (word.first != current_arena + 1) word.flags |= by_several;
    if ((mode & writes) != 0) word.flags |= written;
    if (is_first)
        word.locks = locks_count() ? now.held : lockset::Lockset{};
    else
        word.locks.keep_common_with(now.held);
    word.flags = static_cast<std::uint8_t>(word.locks.any() ? word.flags | guarded : word.flags & ~guarded);
    return word.locks.any();
}

void note_word(std::uint32_t site, std::uint64_t address, std::uint8_t mode, bool atomic) {
    if (runtime_variables::contains(address)) {
        const std::uint64_t key = cache_key(address, site);
        filter_changes::set(cache_entry(key), {key, action_mark | noted_as_written});
        return;
    }
    shared_memory::check_access(address);
    Word* word = words.find_or_add(id_of(address));
    Touch* touch = touches.find_or_add(cache_key(id_of(address), site));
    if (word == nullptr || touch == nullptr) {
        make_visible(site);  // no memory left to remember it: treated as shared
        return;
    }
    if (atomic) word->flags |= by_atomics;
    const bool matters_again = add_access(*word, mode);
    const std::uint64_t key = cache_key(address, site), mark = matters_again ? action_mark : mark_of_current();
    CacheEntry& entry = cache_entry(key);
    const bool was_written = entry.key == key && entry.mark == (mark | noted_as_written);
    filter_changes::set(entry, {key, (mode & writes) != 0 || was_written ? mark | noted_as_written : mark});
}

// Accesses to stacks are followed only after a thread has accessed another thread's stack.
void note_foreign_stack(std::uint64_t address) {
    const bool in_a_stack =
        thread_arena::contains(address)
            ? address - thread_arena::start_of(thread_arena::index_of(address)) >= thread_arena::heap_bytes &&
                  thread_arena::index_of(address) != current_arena
            : current_arena != 0 &&
                  (is_main_thread_local(address) ||
                   canonical::name_of(reinterpret_cast<const void*>(address)).space() == Space::stack);
    if (!in_a_stack) return;
    scheduler::shared()->result.memory_stacks = 1;
    stack_ends::note_shared(address);
}

std::uint8_t joined_bytes_of(std::uint64_t address) {
    const ObjectId id = canonical::name_of(reinterpret_cast<const void*>(address));
    const auto* joined = described<JoinedWord>(patches.header->joined);
    for (std::uint32_t i = 0; i < patches.header->joined_count; ++i)
        if (joined[i].word == id) return joined[i].joined;
    return 0;
}

Word* word_at(std::uint64_t address) {
    Word* word = words.find_or_add(id_of(address));
    if (word != nullptr && word->asked == 0) {
        word->asked = 1;
        word->known = patches.header->joined_count == 0 ? 0 : joined_bytes_of(address);
    }
    return word;
}

void report_joined(std::uint64_t address) {
    channel::Channel& channel = *scheduler::shared();
    Word* word = words.find(id_of(address));
    if (word == nullptr || (word->joined & ~word->known) == 0) return;
    JoinedWord row{};
    row.word = canonical::name_of(reinterpret_cast<const void*>(address));
    row.joined = word->joined;
    bool listed = false;
    for (std::uint32_t i = 0; i < channel.result.memory_joined && !listed; ++i) {
        JoinedWord& known = channel.memory_joined[i];
        if (!(known.word == row.word)) continue;
        if ((row.joined & ~known.joined) == 0) return;
        known.joined |= row.joined;
        listed = true;
    }
    if (!listed && channel.result.memory_joined < channel::most_joined)
        channel.memory_joined[channel.result.memory_joined++] = row;
    if ((word->joined & 1) != 0) report_joined(address - 8);
    const Word* next = words.find(id_of(address + 8));
    if (next != nullptr && (next->joined & 1) != 0) report_joined(address + 8);
}

}  // namespace

void note(std::uint32_t site, std::uint64_t address, std::uint64_t bytes, std::uint8_t mode, bool atomic) {
    passed_code::note(site);
    note_foreign_stack(address);
    const std::uint32_t owner = stack_ends::owner_of(address);
    const bool in_ended_frame = stack_ends::has_ended(owner, address);
    const bool renews = in_ended_frame && owner == current_arena && (mode & writes) != 0;
    if (in_ended_frame && owner != current_arena && !is_renewed(address & ~std::uint64_t{7})) make_visible(site);
    if (heap::freed_block_at(reinterpret_cast<const void*>(address)).begin != nullptr) make_visible(site);
    for (std::uint64_t word = address & ~std::uint64_t{7}; word < address + bytes; word += 8)
        note_word(site, word, mode, atomic);
    for (std::uint64_t word = address & ~std::uint64_t{7}; renews && word < address + bytes; word += 8) {
        allocate_word(word);
        renew_word(word, true);
    }
}

namespace {
void start(Word& word, unsigned byte, std::uint64_t bytes) {
    word.starts |= static_cast<std::uint8_t>(1u << byte);
    const unsigned logarithm = bytes == 8 ? 3 : bytes == 4 ? 2 : bytes == 2 ? 1 : 0;
    if ((word.widths >> 2 * byte & 3u) >= logarithm) return;
    word.widths = static_cast<std::uint16_t>((word.widths & ~(3u << 2 * byte)) | logarithm << 2 * byte);
}

Widths widths_in(const Word& word) {
    Widths widths{};
    for (unsigned byte = 0; byte < 8; ++byte)
        if ((word.starts >> byte & 1) != 0)
            widths.of[byte] = static_cast<std::uint8_t>(1u << (word.widths >> 2 * byte & 3));
    return widths;
}
}  // namespace

void for_noted_words(std::uint64_t begin, std::uint64_t end, void (*act)(void* context, std::uint64_t word),
                     void* context) {
    begin &= ~std::uint64_t{7};
    if ((end - begin) / 8 > words.size()) {
        words.each([&](const Word& word) {
            if (word.id >= begin && word.id < end) act(context, word.id);
        });
        return;
    }
    for (std::uint64_t at = begin; at < end; at += 8)
        if (words.find(at) != nullptr) act(context, at);
}

void mark_freed(std::uint64_t address) {
    if (Word* word = words.find(id_of(address & ~std::uint64_t{7})))
        word->freed |= static_cast<std::uint8_t>(1u << (address & 7));
}

bool is_renewed(std::uint64_t address) {
    const Word* word = words.find(address);
    return word != nullptr && word->renewed != 0;
}
void renew_word(std::uint64_t address, bool renewed) {
    if (Word* word = words.find(address)) word->renewed = renewed ? 1 : 0;
}

void allocate_word(std::uint64_t address) {
    if (Word* word = words.find(id_of(address))) word->freed = 0;
}

bool is_marked_freed(std::uint64_t address) {
    const Word* word = words.find(id_of(address & ~std::uint64_t{7}));
    return word != nullptr && (word->freed >> (address & 7) & 1) != 0;
}

Widths widths_of(std::uint64_t address) {
    const Word* word = words.find(id_of(address));
    return word != nullptr ? widths_in(*word) : Widths{};
}

bool free_word(std::uint64_t address, Widths& widths) {
    Word* word = words.find(id_of(address));
    if (word == nullptr || word->first == 0) return false;
    if (word->first == current_arena + 1 && (word->flags & by_several) == 0) return false;
    add_access(*word, writes);
    widths = widths_in(*word);
    return true;
}

std::uint64_t cell_of(std::uint64_t address, std::uint64_t bytes) {
    const std::uint64_t first = address & ~std::uint64_t{7};
    for (std::uint64_t word_address = first; word_address < address + bytes; word_address += 8) {
        Word* word = word_at(word_address);
        if (word == nullptr) continue;
        for (unsigned byte = 0; byte < 8; ++byte) {
            const std::uint64_t at = word_address + byte;
            if (at == address) start(*word, byte, bytes);
            if (at > address && at < address + bytes) word->joined |= static_cast<std::uint8_t>(1u << byte);
        }
        if ((word->starts & word->joined & ~word->known) != 0) report_joined(word_address);
    }
    std::uint64_t cell = address;
    for (;;) {
        const Word* word = word_at(cell & ~std::uint64_t{7});
        if (word == nullptr || (word->known >> (cell & 7) & 1) == 0) return cell;
        --cell;
    }
}

void keep_first_value(std::uint64_t address, std::uint64_t bytes) {
    for (std::uint64_t at = address & ~std::uint64_t{7}; at < address + bytes; at += 8) {
        Word* word = words.find_or_add(id_of(at));
        if (word == nullptr || word->has_first != 0) continue;
        word->has_first = 1;
        std::memcpy(&word->first_value, reinterpret_cast<const void*>(at), sizeof word->first_value);
    }
}

void begin_with_zero(std::uint64_t address, std::uint64_t bytes) {
    for (std::uint64_t at = address & ~std::uint64_t{7}; at < address + bytes; at += 8) {
        Word* word = words.find_or_add(id_of(at));
        if (word == nullptr) continue;
        word->has_first = 1;
        word->first_value = 0;
    }
}

std::uint64_t first_value(std::uint64_t address, std::uint64_t bytes) {
    const Word* word = words.find(id_of(address & ~std::uint64_t{7}));
    std::uint64_t value = 0;
    if (word != nullptr) std::memcpy(&value, reinterpret_cast<const char*>(&word->first_value) + (address & 7), bytes);
    return value;
}

void renew_first_value(std::uint64_t address, std::uint64_t bytes, std::uint64_t value) {
    if (Word* word = words.find(id_of(address & ~std::uint64_t{7})))
        std::memcpy(reinterpret_cast<char*>(&word->first_value) + (address & 7), &value, bytes);
}

void wait_for(std::uint64_t address) {
    if (Word* word = words.find_or_add(id_of(address & ~std::uint64_t{7}))) word->flags |= by_atomics;
}

void report() {
    if (patches.header == nullptr) return;
    touches.each([](const Touch& touch) {
        const Word* word = words.find(word_of(touch.id));
        if (word != nullptr && is_of_interest(*word)) make_visible(site_of_key(touch.id));
    });
}

}  // namespace raddle::memory::shadow
