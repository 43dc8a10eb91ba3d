#include "preload/schedule/shared_memory.h"

#include <signal.h>
#include <sys/wait.h>

#include "preload/base/raw.h"
#include "preload/schedule/scheduler.h"

namespace raddle::shared_memory {

bool any = false;

namespace {

// Common addresses follow from the order in which files were mapped first. The table of descriptors orders these calls.
constexpr std::uint64_t bytes_of_file = std::uint64_t{1} << 32;
constexpr std::uint64_t most_files = (common_end - common_begin) / bytes_of_file;

struct Mapping {
    std::uint64_t begin, end;  // end 0: this record is free
    std::uint64_t offset;
    File file;
    std::uint64_t name;  // of the file's first byte
    bool with_others;
};
constexpr std::uint32_t most = 1024;
constinit Mapping mappings[most]{};  // constant zeros: no page is touched when the shim is loaded
std::uint32_t used = 0;              // records from here on were never used
std::uint64_t files = 0;
bool child_was_started = false;
std::uint64_t named_begin = 0, named_end = 0;

bool is_same(const File& a, const File& b) { return a.device == b.device && a.number == b.number; }

Mapping* add() {
    for (std::uint32_t i = 0; i < used; ++i)
        if (mappings[i].end == 0) return &mappings[i];
    return used < most ? &mappings[used++] : nullptr;
}

const Mapping* find(std::uint64_t address) {
    for (std::uint32_t i = 0; i < used; ++i)
        if (address - mappings[i].begin < mappings[i].end - mappings[i].begin) return &mappings[i];
    return nullptr;
}

}  // namespace

void mapped(const void* begin, std::size_t bytes, const File& file, std::uint64_t offset) {
    Mapping fresh{};
    fresh.begin = reinterpret_cast<std::uint64_t>(begin);
    fresh.end = fresh.begin + ((bytes + 4095) & ~std::size_t{4095});
    fresh.offset = offset;
    fresh.file = file;
    fresh.with_others = child_was_started && file.has_name;
    for (std::uint32_t i = 0; i < used && file.has_name; ++i)
        if (mappings[i].end != 0 && mappings[i].file.has_name && is_same(mappings[i].file, file))
            fresh.name = mappings[i].name;
    if (fresh.name == 0) fresh.name = common_begin + files++ % most_files * bytes_of_file;
    Mapping* const record = add();
    if (record == nullptr)
        scheduler::end_with(channel::End::uncontrolled,
                            "the program has more shared mappings at once than raddle can tell apart (1,024)");
    *record = fresh;
    any = true;
}

void unmapped(const void* begin, std::size_t bytes) {
    const auto from = reinterpret_cast<std::uint64_t>(begin), to = from + ((bytes + 4095) & ~std::size_t{4095});
    for (std::uint32_t i = 0; i < used; ++i) {
        Mapping& one = mappings[i];
        if (one.end == 0 || to <= one.begin || one.end <= from) continue;
        const Mapping before = one;
        one = {};
        if (before.begin < from)
            if (Mapping* left = add()) (*left = before).end = from;
        if (to < before.end)
            if (Mapping* right = add()) {
                *right = before;
                right->offset += to - before.begin;
                right->begin = to;
            }
    }
}

void moved(const void* begin, std::size_t bytes, const void* to, std::size_t wanted) {
    const Mapping* const known = find(reinterpret_cast<std::uint64_t>(begin));
    if (known == nullptr) return unmapped(to, wanted);
    if (bytes == 0 && !known->file.has_name)
        scheduler::end_with(channel::End::uncontrolled,
                            "the program maps memory without a name a second time (mremap)");
    const Mapping before = *known;
    const std::uint64_t offset = before.offset + (reinterpret_cast<std::uint64_t>(begin) - before.begin);
    if (bytes != 0) unmapped(begin, bytes);
    unmapped(to, wanted);
    mapped(to, wanted, before.file, offset);
}

std::uint64_t find_common_address(std::uint64_t address) {
    const Mapping* const mapping = find(address);
    if (mapping == nullptr || !mapping->file.has_name) return address;
    return mapping->name + mapping->offset + (address - mapping->begin);
}

void child_starts(bool forked) {
    child_was_started = true;
    for (std::uint32_t i = 0; i < used; ++i) mappings[i].with_others |= forked || mappings[i].file.has_name;
}

bool has_children() { return child_was_started; }

void named_object(const void* begin, std::size_t bytes) {
    const auto at = reinterpret_cast<std::uint64_t>(begin);
    if (named_end == 0) named_begin = named_end = at;
    if (at < named_begin) named_begin = at;
    if (at + bytes > named_end) named_end = at + bytes;
    any = true;
}

void refuse_shared_object(const void* pointer, Operation operation) {
    const auto address = reinterpret_cast<std::uint64_t>(pointer);
    const Mapping* const mapping = find(address);
    const bool is_named = address - named_begin < named_end - named_begin;
    if (!recorded() || !(mapping != nullptr ? mapping->with_others : is_named && child_was_started)) return;
    scheduler::note_external_event(channel::external_event::child_objects);
    scheduler::end_with(channel::End::uncontrolled, "another process may use the same object as the program does in ",
                        name_of(operation));
}

void note_shared_access(std::uint64_t address) {
    const Mapping* const mapping = find(address);
    if (mapping == nullptr || !mapping->with_others || !recorded()) return;
    siginfo_t info;
    if (raw::failed(raw::call(SYS_waitid, P_ALL, 0L, &info, WEXITED | WNOHANG | WNOWAIT, nullptr))) return;
    scheduler::note_external_event(channel::external_event::child_memory);
}

}  // namespace raddle::shared_memory
