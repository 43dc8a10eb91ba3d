// Growing arrays without a heap: a function gives the memory, and records are plain bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "supervisor/model/types.h"

namespace raddle {

// Returns a block of `new_bytes` that begins with the first `old_bytes` of `old`, and frees `old`. It only frees if
// new_bytes is 0. Null if memory is exhausted.
using Grow = void* (*)(void* old, std::size_t old_bytes, std::size_t new_bytes);

// Record 0 can be used even if there is no memory at all: the owner goes on with it, and says that memory is exhausted.
template <typename Record>
class Sequence {
    static_assert(std::is_trivially_copyable_v<Record> && std::is_trivially_destructible_v<Record>);

public:
    explicit Sequence(Grow grow) : grow_(grow) {}
    ~Sequence() {
        if (capacity_ != 0) grow_(data_, capacity_ * sizeof(Record), 0);
    }
    Sequence(const Sequence&) = delete;
    Sequence& operator=(const Sequence&) = delete;

    std::uint32_t size() const { return size_; }
    Record& operator[](std::uint32_t i) { return data_[i]; }
    const Record& operator[](std::uint32_t i) const { return data_[i]; }
    void truncate(std::uint32_t size) { size_ = size; }

    // Null if memory is exhausted.
    Record* push() {
        if (size_ == capacity_ && !reserve(capacity_ == 0 ? 64 : capacity_ * 2)) return nullptr;
        return &data_[size_++];
    }
    bool reserve(std::uint32_t capacity) {
        if (capacity <= capacity_) return true;
        void* const old = capacity_ != 0 ? data_ : nullptr;
        void* grown = grow_(old, capacity_ * sizeof(Record), std::size_t{capacity} * sizeof(Record));
        if (grown == nullptr) return false;
        data_ = static_cast<Record*>(grown);
        capacity_ = capacity;
        return true;
    }

private:
    Grow grow_;
    Record spare_{};
    Record* data_ = &spare_;
    std::uint32_t size_ = 0;
    std::uint32_t capacity_ = 0;
};

constexpr std::uint64_t hash_of(ThreadId thread) { return mix64(thread.code + 0x9e3779b97f4a7c15ULL); }

// Records with their `id` as the key. A record keeps its slot.
template <typename Id, typename Record>
class Table {
public:
    explicit Table(Grow grow) : records_(grow), index_(grow) {}

    std::uint32_t size() const { return records_.size(); }
    Record& operator[](std::uint32_t slot) { return records_[slot]; }
    const Record& operator[](std::uint32_t slot) const { return records_[slot]; }

    std::uint32_t find(const Id& id) const {
        if (index_size_ == 0) return no_slot;
        for (std::uint32_t at = position(id);; at = (at + 1) & (index_size_ - 1)) {
            const std::uint32_t slot = index_[at];
            if (slot == no_slot || records_[slot].id == id) return slot;
        }
    }

    // The slot of `id`, which is added if it is new; no_slot if memory is exhausted.
    std::uint32_t find_or_add(const Id& id) {
        if (const std::uint32_t found = find(id); found != no_slot) return found;
        if ((records_.size() + 1) * 2 > index_size_ && !widen()) return no_slot;
        Record* record = records_.push();
        if (record == nullptr) return no_slot;
        *record = Record{};
        record->id = id;
        enter(records_.size() - 1);
        return records_.size() - 1;
    }

    void clear() {
        records_.truncate(0);
        for (std::uint32_t i = 0; i < index_size_; ++i) index_[i] = no_slot;
    }

private:
    std::uint32_t position(const Id& id) const { return static_cast<std::uint32_t>(hash_of(id)) & (index_size_ - 1); }
    void enter(std::uint32_t slot) {
        std::uint32_t at = position(records_[slot].id);
        while (index_[at] != no_slot) at = (at + 1) & (index_size_ - 1);
        index_[at] = slot;
    }
    bool widen() {
        const std::uint32_t wider = index_size_ == 0 ? 64 : index_size_ * 2;
        if (!index_.reserve(wider)) return false;
        index_size_ = wider;
        for (std::uint32_t i = 0; i < wider; ++i) index_[i] = no_slot;
        for (std::uint32_t slot = 0; slot < records_.size(); ++slot) enter(slot);
        return true;
    }

    Sequence<Record> records_;
    Sequence<std::uint32_t> index_;
    std::uint32_t index_size_ = 0;
};

}  // namespace raddle
