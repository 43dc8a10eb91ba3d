#include "preload/restore/memory_image.h"

#include <cpuid.h>
#include <immintrin.h>

#include "preload/base/raw.h"
#include "preload/base/search.h"
#include "preload/base/thread_arena.h"
#include "preload/schedule/scheduler.h"

namespace raddle::restore {

namespace {

constexpr std::uint64_t longest_stack = std::uint64_t{64} << 20;

bool is_preserved(std::uint64_t address) {
    return address - fixed_memory::preserved < fixed_memory::end - fixed_memory::preserved;
}
bool is_channel(std::uint64_t address) {
    return address - reinterpret_cast<std::uint64_t>(scheduler::shared()) < sizeof(channel::Channel);
}

bool is_empty(const std::uint64_t* words) {
    for (std::size_t i = 0; i < page_bytes / 8; ++i)
        if (words[i] != 0) return false;
    return true;
}

// Writes only the parts that differ: most of a written page is unchanged.
void put_back_page(std::uint64_t address, const std::uint64_t* copy) {
    auto* to = reinterpret_cast<__m128i*>(address);
    const auto* from = reinterpret_cast<const __m128i*>(copy);
    for (std::size_t i = 0; i < page_bytes / 16; i += 4) {
        const __m128i a = _mm_load_si128(from + i), b = _mm_load_si128(from + i + 1);
        const __m128i c = _mm_load_si128(from + i + 2), d = _mm_load_si128(from + i + 3);
        const __m128i same = _mm_and_si128(
            _mm_and_si128(_mm_cmpeq_epi8(a, _mm_load_si128(to + i)), _mm_cmpeq_epi8(b, _mm_load_si128(to + i + 1))),
            _mm_and_si128(_mm_cmpeq_epi8(c, _mm_load_si128(to + i + 2)),
                          _mm_cmpeq_epi8(d, _mm_load_si128(to + i + 3))));
        if (_mm_movemask_epi8(same) == 0xffff) continue;
        _mm_store_si128(to + i, a);
        _mm_store_si128(to + i + 1, b);
        _mm_store_si128(to + i + 2, c);
        _mm_store_si128(to + i + 3, d);
    }
}

// The same with registers of twice the width, for processors that have them.
__attribute__((target("avx2"))) void put_back_page_wide(std::uint64_t address, const std::uint64_t* copy) {
    auto* to = reinterpret_cast<__m256i*>(address);
    const auto* from = reinterpret_cast<const __m256i*>(copy);
    for (std::size_t i = 0; i < page_bytes / 32; i += 4) {
        const __m256i a = _mm256_load_si256(from + i), b = _mm256_load_si256(from + i + 1);
        const __m256i c = _mm256_load_si256(from + i + 2), d = _mm256_load_si256(from + i + 3);
        const __m256i other = _mm256_or_si256(_mm256_or_si256(_mm256_xor_si256(a, _mm256_load_si256(to + i)),
                                                              _mm256_xor_si256(b, _mm256_load_si256(to + i + 1))),
                                              _mm256_or_si256(_mm256_xor_si256(c, _mm256_load_si256(to + i + 2)),
                                                              _mm256_xor_si256(d, _mm256_load_si256(to + i + 3))));
        if (_mm256_testz_si256(other, other) != 0) continue;
        _mm256_store_si256(to + i, a);
        _mm256_store_si256(to + i + 1, b);
        _mm256_store_si256(to + i + 2, c);
        _mm256_store_si256(to + i + 3, d);
    }
}

// Whether the processor has the wide registers, and the kernel saves them.
bool has_wide_registers() {
    unsigned a, b, c, d;
    constexpr unsigned xsave_in_use = 1u << 27, avx2 = 1u << 5, vectors_kept = 6;
    if (__get_cpuid(1, &a, &b, &c, &d) == 0 || (c & xsave_in_use) == 0) return false;
    unsigned kept, above;
    __asm__("xgetbv" : "=a"(kept), "=d"(above) : "c"(0));
    return (kept & vectors_kept) == vectors_kept && __get_cpuid_count(7, 0, &a, &b, &c, &d) != 0 && (b & avx2) != 0;
}

alignas(page_bytes) const std::uint64_t empty_page[page_bytes / 8] = {};

// The server writes it, and no child does before it calls check_kernel().
alignas(page_bytes) volatile std::uint64_t probe[2 * page_bytes / 8] = {1};

}  // namespace

// ---- the image is made

void MemoryImage::prepare() {
    probe[0] = 1;
    put_back_page_ = has_wide_registers() ? put_back_page_wide : put_back_page;
}

const char* MemoryImage::make() {
    if (const char* why = check_kernel()) return why;
    taken_before_ = fixed_memory::taken_count();
    failure_ = "the kernel does not tell what this process has mapped (/proc/self/maps)";
    if (!for_each_mapping(
            [](const Mapping& mapping, void* image) { return static_cast<MemoryImage*>(image)->note_range(mapping); },
            this))
        return failure_;
    const PageMap map;
    for (std::uint32_t i = 0; i < range_count_; ++i)
        if (ranges_[i].restored && !copy_range(ranges_[i], map)) return "its memory is too large to copy";
    failure_ = nullptr;
    return nullptr;
}

// In a child: the probe page is shared with the server until the child writes it here.
const char* MemoryImage::check_kernel() const {
    constexpr const char* no = "this kernel does not tell which pages a process has written";
    const PageMap map;
    const auto address = reinterpret_cast<std::uint64_t>(&probe[0]);
    std::uint64_t before = 0, after = 0;
    if (!map.is_open() || !map.read(address, &before, 1)) return no;
    const std::uint64_t faults_before = restore::faults();
    probe[1] = 1;
    if (restore::faults() == faults_before || !map.read(address, &after, 1)) return no;
    return is_there(before) && !is_written(before) && is_written(after) ? nullptr : no;
}

bool MemoryImage::note_range(const Mapping& mapping) {
    if (is_preserved(mapping.begin)) return true;
    if (mapping.shared && mapping.writable && !is_channel(mapping.begin)) {
        failure_ = "it has shared memory (a shared mapping made before the first thread)";
        return false;
    }
    Range range{};
    range.begin = range.reach = mapping.begin;
    range.end = mapping.end;
    range.rights = mapping.rights;
    range.restored = mapping.writable && !mapping.shared;
    range.has_file = mapping.has_file;
    if (mapping.is_stack)
        range.reach = range.end - longest_stack < range.begin ? range.end - longest_stack : range.begin;
    if (insert(range)) return true;
    failure_ = "its memory is in too many pieces, or too large";
    return false;
}

bool MemoryImage::insert(const Range& added) {
    const std::uint64_t count = added.restored ? (added.end - added.reach) / page_bytes : 0;
    if (range_count_ == most_ranges || count > most_pages - pages_used_) return false;
    std::uint32_t at = range_count_;
    for (; at > 0 && ranges_[at - 1].begin > added.begin; --at) ranges_[at] = ranges_[at - 1];
    ranges_[at] = added;
    ranges_[at].first_page = pages_used_;
    pages_used_ += static_cast<std::uint32_t>(count);
    ++range_count_;
    expected_ += added.end - added.begin;
    return true;
}

// The first range that does not end before this address. Null if there is none.
const Range* MemoryImage::first_after(std::uint64_t address) const {
    const std::uint32_t at =
        first_not_before(range_count_, [&](std::uint32_t row) { return ranges_[row].end <= address; });
    return at < range_count_ ? &ranges_[at] : nullptr;
}

Range* MemoryImage::find(std::uint64_t address) {
    const Range* range = first_after(address);
    return range != nullptr && range->begin <= address ? const_cast<Range*>(range) : nullptr;
}

bool MemoryImage::was_there(const void* begin, std::size_t bytes) const {
    const Range* range = first_after(reinterpret_cast<std::uint64_t>(begin));
    return range != nullptr && range->begin < reinterpret_cast<std::uint64_t>(begin) + bytes;
}

bool MemoryImage::expect_discard(const void* begin, std::size_t bytes) {
    const auto from = reinterpret_cast<std::uint64_t>(begin), to = from + bytes;
    for (std::uint64_t address = from & ~(page_bytes - 1); address < to; address += page_bytes) {
        const Range* range = first_after(address);
        if (range == nullptr || range->begin >= to) return true;
        if (range->begin > address) address = range->begin;
        if (range->restored && !make_hot(*range, address)) return false;
    }
    return true;
}

std::uint32_t MemoryImage::copy_of(std::uint64_t address) {
    const auto* words = reinterpret_cast<const std::uint64_t*>(address);
    if (is_empty(words)) return empty_copy;
    if (copies_used_ == most_copies) return 0;
    std::uint64_t* copy = copies_[++copies_used_];
    for (std::size_t i = 0; i < page_bytes / 8; ++i) copy[i] = words[i];
    return copies_used_;
}

// Copies only pages that the kernel could not make again: unwritten pages of files stay in the file.
bool MemoryImage::copy_range(const Range& range, const PageMap& map) {
    std::uint64_t entries[512];
    for (std::uint64_t address = range.begin; address < range.end;) {
        const std::uint64_t left = (range.end - address) / page_bytes;
        const std::size_t count = left < 512 ? left : 512;
        if (!map.read(address, entries, count)) return false;
        for (std::size_t i = 0; i < count; ++i, address += page_bytes) {
            if (!is_there(entries[i]) || is_of_file(entries[i])) continue;
            const std::uint32_t number = copy_of(address);
            if (number == 0) return false;
            page(range, address) = number;
        }
    }
    return true;
}

// ---- after an execution

const char* MemoryImage::put_back(bool scan_anyway) {
    if (scan_anyway || fixed_memory::taken_count() != taken_before_ || restore::faults() != faults_)
        if (const char* why = scan()) return why;
    put_back_pages();
    return nullptr;
}

void MemoryImage::put_back_pages() const {
    for (std::uint32_t i = 0; i < hot_count_; ++i)
        put_back_page_(hot_[i].address, hot_[i].copy != nullptr ? hot_[i].copy : empty_page);
}

const char* MemoryImage::scan() {
    if (fixed_memory::taken_count() > fixed_memory::most_taken) return "it started too many threads";
    failure_ = nullptr;
    matched_ = new_count_ = next_range_ = 0;
    if (!for_each_mapping(
            [](const Mapping& mapping, void* image) { return static_cast<MemoryImage*>(image)->match(mapping); }, this))
        return failure_ != nullptr ? failure_
                                   : "the kernel does not tell what this process has mapped (/proc/self/maps)";
    if (matched_ != expected_) return "memory that was there at the start was unmapped";
    for (std::uint32_t i = 0; i < new_count_; ++i)
        if (!unmap_or_keep(new_mappings_[i].begin, new_mappings_[i].end))
            return "memory that it mapped cannot be unmapped";
    const PageMap map;
    for (std::uint32_t i = 0; i < range_count_; ++i)
        if (ranges_[i].restored && !scan_pages(ranges_[i], map)) return "it writes too much memory";
    return nullptr;
}

// Compares a mapping with the ranges of the start. The kernel may merge adjacent mappings, so only the memory counts.
bool MemoryImage::match(const Mapping& mapping) {
    if (is_preserved(mapping.begin)) return true;
    std::uint64_t at = mapping.begin;
    const auto note_new = [&](std::uint64_t begin, std::uint64_t end) {
        if (new_count_ == most_new) return false;
        new_mappings_[new_count_++] = {begin, end};
        return true;
    };
    while (next_range_ < range_count_ && ranges_[next_range_].end <= at) ++next_range_;
    for (std::uint32_t i = next_range_; i < range_count_ && ranges_[i].reach < mapping.end; ++i) {
        Range& range = ranges_[i];
        if (mapping.is_stack && at < range.begin && at >= range.reach) {
            expected_ += range.begin - at;
            range.begin = at;
        }
        if (range.begin >= mapping.end) break;
        if (at < range.begin && !note_new(at, range.begin)) return false;
        if (mapping.rights != range.rights) {
            failure_ = "memory that was there at the start has other rights now";
            return false;
        }
        const std::uint64_t from = at > range.begin ? at : range.begin;
        at = mapping.end < range.end ? mapping.end : range.end;
        matched_ += at - from;
    }
    return at >= mapping.end || note_new(at, mapping.end);
}

// Keeps memory that the shim mapped for threads. Unmaps everything else.
bool MemoryImage::unmap_or_keep(std::uint64_t begin, std::uint64_t end) {
    while (begin < end) {
        std::uint64_t next = end;
        const fixed_memory::Taken* whole = nullptr;
        for (std::uint32_t i = taken_before_; i < fixed_memory::taken_count(); ++i) {
            const fixed_memory::Taken& one = fixed_memory::taken(i);
            if (!one.kept) continue;
            if (one.begin == begin && one.end <= end) whole = &one;
            if (one.begin > begin && one.begin < next) next = one.begin;
        }
        if (whole != nullptr) {
            if (!keep_taken(whole->begin, whole->end)) return false;
            begin = whole->end;
            continue;
        }
        if (raw::failed(raw::call(SYS_munmap, begin, next - begin))) return false;
        begin = next;
    }
    return true;
}

bool MemoryImage::keep_taken(std::uint64_t begin, std::uint64_t end) {
    Range range{};
    range.begin = range.reach = begin;
    range.end = end;
    range.rights = 6;
    range.restored = true;
    if (!insert(range)) return false;
    if (!thread_arena::contains(begin)) return true;
    const std::uint32_t arena = thread_arena::index_of(begin);
    const bool is_heap = begin - thread_arena::start_of(arena) < thread_arena::heap_bytes;
    (is_heap ? kept_.heap : kept_.stack)[arena] = {begin, end};
    return true;
}

bool MemoryImage::scan_pages(const Range& range, const PageMap& map) {
    std::uint64_t entries[512];
    for (std::uint64_t address = range.begin; address < range.end;) {
        const std::uint64_t left = (range.end - address) / page_bytes;
        const std::size_t count = left < 512 ? left : 512;
        if (!map.read(address, entries, count)) return false;
        for (std::size_t i = 0; i < count; ++i, address += page_bytes)
            if (is_written(entries[i]) && !make_hot(range, address)) return false;
    }
    return true;
}

bool MemoryImage::make_hot(const Range& range, std::uint64_t address) {
    std::uint32_t& known = page(range, address);
    if ((known & hot_flag) != 0) return true;
    if (known == 0 && range.has_file) {
        constexpr long dont_need = 4;
        if (raw::failed(raw::call(SYS_madvise, address, page_bytes, dont_need))) return false;
        known = copy_of(address);
        if (known == 0) return false;
    }
    if (hot_count_ == most_hot) return false;
    hot_[hot_count_++] = {address, known == 0 || known == empty_copy ? nullptr : copies_[known]};
    known |= hot_flag;
    return true;
}

}  // namespace raddle::restore
