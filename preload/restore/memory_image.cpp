#include "preload/restore/memory_image.h"

#include <cpuid.h>
#include <immintrin.h>

#include "preload/base/raw.h"
#include "preload/base/thread_arena.h"
#include "preload/schedule/scheduler.h"

namespace raddle::restore {

namespace {

constexpr std::uint64_t longest_stack = std::uint64_t{64} << 20;

bool is_preserved(std::uint64_t address) { return address - fixed_memory::preserved < fixed_memory::end - fixed_memory::preserved; }
bool is_channel(std::uint64_t address) {
    return address - reinterpret_cast<std::uint64_t>(scheduler::shared()) < sizeof(channel::Channel);
}

bool is_empty(const std::uint64_t* words) {
    for (std::size_t i = 0; i < page_bytes / 8; ++i)
        if (words[i] != 0) return false;
    return true;
}

// Writes where it differs only: most of a page written once stays as it was.
void put_back_page(std::uint64_t place, const std::uint64_t* copy) {
    auto* to = reinterpret_cast<__m128i*>(place);
    const auto* from = reinterpret_cast<const __m128i*>(copy);
    for (std::size_t i = 0; i < page_bytes / 16; i += 4) {
        const __m128i a = _mm_load_si128(from + i), b = _mm_load_si128(from + i + 1);
        const __m128i c = _mm_load_si128(from + i + 2), d = _mm_load_si128(from + i + 3);
        const __m128i same = _mm_and_si128(
            _mm_and_si128(_mm_cmpeq_epi8(a, _mm_load_si128(to + i)), _mm_cmpeq_epi8(b, _mm_load_si128(to + i + 1))),
            _mm_and_si128(_mm_cmpeq_epi8(c, _mm_load_si128(to + i + 2)), _mm_cmpeq_epi8(d, _mm_load_si128(to + i + 3))));
        if (_mm_movemask_epi8(same) == 0xffff) continue;
        _mm_store_si128(to + i, a);
        _mm_store_si128(to + i + 1, b);
        _mm_store_si128(to + i + 2, c);
        _mm_store_si128(to + i + 3, d);
    }
}

// The same by twice as much at a time, for processors that can.
__attribute__((target("avx2"))) void put_back_page_wide(std::uint64_t place, const std::uint64_t* copy) {
    auto* to = reinterpret_cast<__m256i*>(place);
    const auto* from = reinterpret_cast<const __m256i*>(copy);
    for (std::size_t i = 0; i < page_bytes / 32; i += 4) {
        const __m256i a = _mm256_load_si256(from + i), b = _mm256_load_si256(from + i + 1);
        const __m256i c = _mm256_load_si256(from + i + 2), d = _mm256_load_si256(from + i + 3);
        const __m256i other = _mm256_or_si256(
            _mm256_or_si256(_mm256_xor_si256(a, _mm256_load_si256(to + i)), _mm256_xor_si256(b, _mm256_load_si256(to + i + 1))),
            _mm256_or_si256(_mm256_xor_si256(c, _mm256_load_si256(to + i + 2)), _mm256_xor_si256(d, _mm256_load_si256(to + i + 3))));
        if (_mm256_testz_si256(other, other) != 0) continue;
        _mm256_store_si256(to + i, a);
        _mm256_store_si256(to + i + 1, b);
        _mm256_store_si256(to + i + 2, c);
        _mm256_store_si256(to + i + 3, d);
    }
}

// And whether the kernel keeps the wide registers.
bool has_wide_registers() {
    unsigned a, b, c, d;
    constexpr unsigned xsave_in_use = 1u << 27, avx2 = 1u << 5, vectors_kept = 6;
    if (__get_cpuid(1, &a, &b, &c, &d) == 0 || (c & xsave_in_use) == 0) return false;
    unsigned kept, above;
    __asm__("xgetbv" : "=a"(kept), "=d"(above) : "c"(0));
    return (kept & vectors_kept) == vectors_kept && __get_cpuid_count(7, 0, &a, &b, &c, &d) != 0 && (b & avx2) != 0;
}

alignas(page_bytes) const std::uint64_t empty_page[page_bytes / 8] = {};

// Written by the server, and by no child before it looks.
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
    if (!for_each_mapping([](const Mapping& mapping, void* image) { return static_cast<MemoryImage*>(image)->note_range(mapping); }, this))
        return failure_;
    const PageMap map;
    for (std::uint32_t i = 0; i < range_count_; ++i)
        if (ranges_[i].restored && !copy_range(ranges_[i], map)) return "its memory is too large to be copied";
    failure_ = nullptr;
    return nullptr;
}

// In a child: the probe is shared with the server, until it is written here.
const char* MemoryImage::check_kernel() const {
    constexpr const char* no = "this kernel does not tell which pages a process has written";
    const PageMap map;
    const auto place = reinterpret_cast<std::uint64_t>(&probe[0]);
    std::uint64_t before = 0, after = 0;
    if (!map.is_open() || !map.read(place, &before, 1)) return no;
    const std::uint64_t faults_before = restore::faults();
    probe[1] = 1;
    if (restore::faults() == faults_before || !map.read(place, &after, 1)) return no;
    return is_there(before) && !is_written(before) && is_written(after) ? nullptr : no;
}

bool MemoryImage::note_range(const Mapping& mapping) {
    if (is_preserved(mapping.begin)) return true;
    if (mapping.shared && mapping.writable && !is_channel(mapping.begin)) {
        failure_ = "it has memory that it shares (a shared mapping made before the first thread)";
        return false;
    }
    Range range{};
    range.begin = range.reach = mapping.begin;
    range.end = mapping.end;
    range.rights = mapping.rights;
    range.restored = mapping.writable && !mapping.shared;
    range.has_file = mapping.has_file;
    if (mapping.is_stack) range.reach = range.end - longest_stack < range.begin ? range.end - longest_stack : range.begin;
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

// The first that does not end before this address; null if there is none.
const Range* MemoryImage::first_after(std::uint64_t address) const {
    std::uint32_t low = 0, high = range_count_;
    while (low < high) {
        const std::uint32_t middle = (low + high) / 2;
        if (ranges_[middle].end <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low < range_count_ ? &ranges_[low] : nullptr;
}

Range* MemoryImage::find(std::uint64_t address) {
    const Range* range = first_after(address);
    return range != nullptr && range->begin <= address ? const_cast<Range*>(range) : nullptr;
}

bool MemoryImage::was_there(const void* begin, std::size_t bytes) const {
    const Range* range = first_after(reinterpret_cast<std::uint64_t>(begin));
    return range != nullptr && range->begin < reinterpret_cast<std::uint64_t>(begin) + bytes;
}

bool MemoryImage::expect_loss(const void* begin, std::size_t bytes) {
    const auto from = reinterpret_cast<std::uint64_t>(begin), to = from + bytes;
    for (std::uint64_t place = from & ~(page_bytes - 1); place < to; place += page_bytes) {
        const Range* range = first_after(place);
        if (range == nullptr || range->begin >= to) return true;
        if (range->begin > place) place = range->begin;
        if (range->restored && !make_hot(*range, place)) return false;
    }
    return true;
}

std::uint32_t MemoryImage::copy_of(std::uint64_t place) {
    const auto* words = reinterpret_cast<const std::uint64_t*>(place);
    if (is_empty(words)) return empty_copy;
    if (copies_used_ == most_copies) return 0;
    std::uint64_t* copy = copies_[++copies_used_];
    for (std::size_t i = 0; i < page_bytes / 8; ++i) copy[i] = words[i];
    return copies_used_;
}

// Only what is not as the kernel would make it: pages of files nobody wrote are found again there.
bool MemoryImage::copy_range(const Range& range, const PageMap& map) {
    std::uint64_t entries[512];
    for (std::uint64_t place = range.begin; place < range.end;) {
        const std::uint64_t left = (range.end - place) / page_bytes;
        const std::size_t count = left < 512 ? left : 512;
        if (!map.read(place, entries, count)) return false;
        for (std::size_t i = 0; i < count; ++i, place += page_bytes) {
            if (!is_there(entries[i]) || is_of_file(entries[i])) continue;
            const std::uint32_t number = copy_of(place);
            if (number == 0) return false;
            page(range, place) = number;
        }
    }
    return true;
}

// ---- after an execution

const char* MemoryImage::put_back(bool look_anyway) {
    if (look_anyway || fixed_memory::taken_count() != taken_before_ || restore::faults() != faults_)
        if (const char* why = look()) return why;
    put_back_pages();
    return nullptr;
}

void MemoryImage::put_back_pages() const {
    for (std::uint32_t i = 0; i < hot_count_; ++i)
        put_back_page_(hot_[i].place, hot_[i].copy != nullptr ? hot_[i].copy : empty_page);
}

const char* MemoryImage::look() {
    ++looks_;
    if (fixed_memory::taken_count() > fixed_memory::most_taken) return "it made too many threads";
    failure_ = nullptr;
    met_ = strange_count_ = next_range_ = 0;
    if (!for_each_mapping([](const Mapping& mapping, void* image) { return static_cast<MemoryImage*>(image)->meet(mapping); }, this))
        return failure_ != nullptr ? failure_ : "the kernel does not tell what this process has mapped (/proc/self/maps)";
    if (met_ != expected_) return "memory that was there at the start was unmapped";
    for (std::uint32_t i = 0; i < strange_count_; ++i)
        if (!settle(strange_[i].begin, strange_[i].end)) return "what it mapped cannot be taken away";
    const PageMap map;
    for (std::uint32_t i = 0; i < range_count_; ++i)
        if (ranges_[i].restored && !look_at_pages(ranges_[i], map)) return "it writes more memory than can be put back";
    return nullptr;
}

// Adjacent mappings may be one to the kernel: what counts is the memory, not the pieces.
bool MemoryImage::meet(const Mapping& mapping) {
    if (is_preserved(mapping.begin)) return true;
    std::uint64_t at = mapping.begin;
    const auto strange = [&](std::uint64_t begin, std::uint64_t end) {
        if (strange_count_ == most_strange) return false;
        strange_[strange_count_++] = {begin, end};
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
        if (at < range.begin && !strange(at, range.begin)) return false;
        if (mapping.rights != range.rights) {
            failure_ = "memory that was there at the start has other rights now";
            return false;
        }
        const std::uint64_t from = at > range.begin ? at : range.begin;
        at = mapping.end < range.end ? mapping.end : range.end;
        met_ += at - from;
    }
    return at >= mapping.end || strange(at, mapping.end);
}

// What the shim took for threads is kept, all else is unmapped.
bool MemoryImage::settle(std::uint64_t begin, std::uint64_t end) {
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

bool MemoryImage::look_at_pages(const Range& range, const PageMap& map) {
    std::uint64_t entries[512];
    for (std::uint64_t place = range.begin; place < range.end;) {
        const std::uint64_t left = (range.end - place) / page_bytes;
        const std::size_t count = left < 512 ? left : 512;
        if (!map.read(place, entries, count)) return false;
        for (std::size_t i = 0; i < count; ++i, place += page_bytes)
            if (is_written(entries[i]) && !make_hot(range, place)) return false;
    }
    return true;
}

bool MemoryImage::make_hot(const Range& range, std::uint64_t place) {
    std::uint32_t& known = page(range, place);
    if ((known & hot_flag) != 0) return true;
    if (known == 0 && range.has_file) {
        constexpr long dont_need = 4;
        if (raw::failed(raw::call(SYS_madvise, place, page_bytes, dont_need))) return false;
        known = copy_of(place);
        if (known == 0) return false;
    }
    if (hot_count_ == most_hot) return false;
    hot_[hot_count_++] = {place, known == 0 || known == empty_copy ? nullptr : copies_[known]};
    known |= hot_flag;
    return true;
}

}  // namespace raddle::restore
