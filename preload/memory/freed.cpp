// Freed heap blocks: to threads that still use a block, freeing it is like a write to each of its variables, and a
// later access is misuse. Executions find out which calls free blocks that other threads have used, as they find out
// which instructions access shared memory. The supervisor tells it to later executions, so that the same call consists
// of the same actions in all of them.
#include <cstring>

#include "preload/memory/filter.h"
#include "preload/memory/freed.h"
#include "preload/memory/heap_blocks.h"
#include "preload/memory/map.h"
#include "preload/memory/patcher.h"
#include "preload/memory/shadow.h"
#include "preload/schedule/canonical.h"
#include "preload/schedule/scheduler.h"
#include "supervisor/model/extent.h"

namespace raddle::memory {

namespace {

bool is_freed(std::uint64_t address) {
    return heap::freed_block_at(reinterpret_cast<const void*>(address)).begin != nullptr;
}

// Whether the call that returns to `code` takes its target from a register or from memory.
bool called_by_pointer(const unsigned char* code, const canonical::Module& module) {
    std::int32_t distance;
    std::memcpy(&distance, code - 4, sizeof distance);
    const std::uint64_t target =
        reinterpret_cast<std::uint64_t>(code) + static_cast<std::uint64_t>(std::int64_t{distance});
    constexpr unsigned char call_near = 0xe8, call_at = 0xff;
    if (code[-5] == call_near && target >= module.begin && target < module.end) return false;
    const auto is_call = [](const unsigned char* at, unsigned char mode) {
        return at[0] == call_at && (at[1] & 0x38) == 0x10 && at[1] >> 6 == mode;
    };
    const auto has_index = [](const unsigned char* at) { return (at[1] & 7) == 4; };
    const auto is_relative = [](const unsigned char* at) {
        return (at[1] & 7) == 5;
    };  // through the table of imported functions
    return is_call(code - 2, 3) || (is_call(code - 2, 0) && !has_index(code - 2) && !is_relative(code - 2)) ||
           (is_call(code - 3, 0) && has_index(code - 3)) || (is_call(code - 3, 1) && !has_index(code - 3)) ||
           (is_call(code - 4, 1) && has_index(code - 4)) || (is_call(code - 6, 2) && !has_index(code - 6)) ||
           (is_call(code - 7, 2) && has_index(code - 7));
}

// Only frees by instrumented code are actions. In other code, whether a block is freed may depend on things that raddle
// does not see, such as the reference count of an exception; and libc may hold its own locks. A call by pointer in
// other code leads to the program's own code, such as a thread function, and that may end in a jump to free().
bool is_by_instrumented_code(const void* call, std::uint64_t site) {
    if (is_instrumented(call)) return true;
    constexpr std::uint64_t longest_call = 7;
    const canonical::Module* const module = canonical::module_of_site(site);
    return module != nullptr && reinterpret_cast<std::uint64_t>(call) >= module->begin + longest_call &&
           called_by_pointer(static_cast<const unsigned char*>(call), *module);
}

const FreedBlock* known_block(std::uint64_t site, std::uint64_t bytes) {
    const auto* rows = described<FreedBlock>(patches.header->freed);
    for (std::uint32_t i = 0; i < patches.header->freed_count; ++i)
        if (rows[i].site == site && rows[i].bytes == bytes) return &rows[i];
    return nullptr;
}

void announce(std::uint64_t address, std::uint64_t bytes, std::uint64_t site) {
    const std::uint64_t cell = shadow::cell_of(address, bytes);
    shadow::keep_first_value(address, bytes);
    Action action{};
    action.operation = Operation::memory_write;
    action.site = site;
    action.object = canonical::name_of(reinterpret_cast<const void*>(cell));
    action.attributes = attribute::memory::frees;
    if (cell == address && (address & 7) + bytes <= 8) {
        action.attributes |= width_attribute(bytes);
        std::int64_t poison = 0;
        std::memset(&poison, heap::poison, bytes);
        action.set_value(poison);
    } else {
        action.set_packed_extent(packed({address - cell, bytes}));
    }
    const bool was_live = !is_freed(address);
    act_uncancelled(action);
    shadow::mark_freed(address);
    // Now, not with the whole block: other threads may run before the block's next variable is freed. The same holds
    // for a block that was freed before, unless it was allocated again.
    if (was_live || is_freed(address)) std::memset(reinterpret_cast<void*>(address), heap::poison, bytes);
}

// Later accesses have to be noted again: they would be misuse.
void forget_notes(std::uint64_t begin, std::uint64_t end) {
    for (std::uint32_t i = 0; i < cache_entries; ++i)
        if (const std::uint64_t word = word_of(filter_cache[i].key); word >= begin && word < end) filter_cache[i] = {};
}

struct Deletion {
    const void* block = nullptr;
    const void* call = nullptr;
};
Deletion deletion;

// The call that freed a block last.
struct FreedBy {
    std::uint64_t id;  // address of the block
    std::uint64_t site;
};
Map<FreedBy> freed_by;

// A report about blocks of one size that one call frees: the variables in one of them. It is sent if any of them is
// new.
class BlockReport {
public:
    BlockReport(std::uint64_t site, std::uint64_t bytes, const FreedBlock* known)
        : found_{site, bytes, {}}, known_(known) {}

    void add(std::uint64_t word, const shadow::Widths& widths) {
        for (unsigned byte = 0; byte < 8; ++byte) {
            const std::uint8_t width = widths.of[byte];
            if (found_.width[word + byte] < width) found_.width[word + byte] = width;
            is_new_ |= width > (known_ != nullptr ? known_->width[word + byte] : 0);
        }
    }
    void send() const {
        if (!is_new_) return;
        channel::Channel& channel = *scheduler::shared();
        for (std::uint32_t i = 0; i < channel.result.memory_freed; ++i) {
            FreedBlock& row = channel.memory_freed[i];
            if (row.site != found_.site || row.bytes != found_.bytes) continue;
            for (std::uint32_t at = 0; at < freed_bytes; ++at)
                if (row.width[at] < found_.width[at]) row.width[at] = found_.width[at];
            return;
        }
        if (channel.result.memory_freed < channel::most_freed)
            channel.memory_freed[channel.result.memory_freed++] = found_;
    }

private:
    FreedBlock found_;
    const FreedBlock* known_;
    bool is_new_ = false;
};

std::uint64_t followed_bytes(std::uint64_t bytes) { return bytes < freed_bytes ? bytes : freed_bytes; }

// The block was misused: reports all variables in it; with `as_block`, also the block itself.
void report_block(const heap::Block& block, std::uint64_t site, bool as_block) {
    static constexpr shadow::Widths a_byte = {{1}};
    BlockReport finding(site, block.bytes, known_block(site, block.bytes));
    if (as_block) finding.add(0, a_byte);
    for (std::uint64_t at = 0; at < followed_bytes(block.bytes); at += 8)
        finding.add(at, shadow::widths_of(reinterpret_cast<std::uint64_t>(block.begin) + at));
    finding.send();
}

}  // namespace

void about_to_delete(const void* block, const void* call) { deletion = {block, call}; }

bool about_to_free(const void* block, std::uint64_t bytes, const void* call) {
    const Deletion by_delete = deletion;
    deletion = {};
    if (!active) return false;
    if (by_delete.block == block) call = by_delete.call;
    const std::uint64_t site = canonical::site_of(call);
    const bool is_action = is_by_instrumented_code(call, site);
    const auto begin = reinterpret_cast<std::uint64_t>(block);
    const FreedBlock* known = is_action ? known_block(site, bytes) : nullptr;
    for (std::uint64_t at = 0; known != nullptr && at < followed_bytes(bytes); ++at)
        if (known->width[at] != 0) announce(begin + at, known->width[at], site);
    if (const heap::Block before = heap::freed_block_at(block); before.begin != nullptr) {
        if (is_action) report_block(before, site, true);
        if (const FreedBy* first = freed_by.find(begin)) report_block(before, first->site, true);
        return true;
    }
    BlockReport finding(site, bytes, known);
    bool is_used = false;
    for (std::uint64_t at = 0; at < followed_bytes(bytes); at += 8) {
        shadow::Widths widths{};
        is_used |= shadow::free_word(begin + at, widths);
        finding.add(at, widths);
    }
    if (is_used) forget_notes(begin, begin + bytes);
    if (!is_action) return false;
    finding.send();
    if (FreedBy* record = freed_by.find_or_add(begin)) record->site = site;
    return known != nullptr;
}

// The whole block counts, not only the bytes requested: realloc() may extend it in place.
void was_allocated(const void* block) {
    const auto begin = reinterpret_cast<std::uint64_t>(block);
    if (!active || freed_by.find(begin) == nullptr) return;
    const std::uint64_t end = begin + followed_bytes(heap::block_at(block).bytes);
    for (std::uint64_t word = begin; word < end; word += 8) shadow::allocate_word(word);
}

bool accesses_freed(Thread& thread) {
    const std::uint64_t address = thread.next_address;
    thread.next_address = 0;
    if (shadow::is_marked_freed(address)) return true;
    const heap::Block block = heap::freed_block_at(reinterpret_cast<const void*>(address));
    if (block.begin == nullptr) return false;
    if (const FreedBy* before = freed_by.find(reinterpret_cast<std::uint64_t>(block.begin)))
        report_block(block, before->site, false);
    return true;
}

}  // namespace raddle::memory
