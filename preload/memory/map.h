// A hash table of records, found by their member `id`, a number other than zero. Its memory is the shim's own and is
// not freed within an execution. It has no constructor: a table of zeros is empty.
#pragma once

#include "preload/base/fixed_memory.h"
#include "supervisor/model/types.h"

namespace raddle::memory {

inline constexpr std::uint32_t most_records = 1u << 22;

template <typename Record>
class Map {
public:
    Record* find_or_add(std::uint64_t id) {
        if ((used_ + 1) * 2 > size_ && !widen()) return nullptr;
        Record& record = at(id);
        if (record.id != id) {
            record = Record{};
            record.id = id;
            ++used_;
        }
        return &record;
    }
    Record* find(std::uint64_t id) {
        if (size_ == 0) return nullptr;
        Record& record = at(id);
        return record.id == id ? &record : nullptr;
    }
    std::uint32_t size() const { return size_; }
    template <typename Do>
    void each(Do&& act) {
        for (std::uint32_t i = 0; i < size_; ++i)
            if (records_[i].id != 0) act(records_[i]);
    }

private:
    Record& at(std::uint64_t id) {
        std::uint32_t i = static_cast<std::uint32_t>(mix64(id * 0x9e3779b97f4a7c15ULL)) & (size_ - 1);
        while (records_[i].id != 0 && records_[i].id != id) i = (i + 1) & (size_ - 1);
        return records_[i];
    }
    bool widen() {
        const std::uint32_t wider = size_ == 0 ? 64 : size_ * 2;
        if (wider > most_records) return false;
        auto* fresh = static_cast<Record*>(fixed_memory::grow(nullptr, 0, std::size_t{wider} * sizeof(Record)));
        if (fresh == nullptr) return false;
        Record* old = records_;
        const std::uint32_t old_size = size_;
        records_ = fresh;
        size_ = wider;
        for (std::uint32_t i = 0; i < old_size; ++i)
            if (old[i].id != 0) at(old[i].id) = old[i];
        return true;
    }
    Record* records_ = nullptr;
    std::uint32_t size_ = 0, used_ = 0;
};

}  // namespace raddle::memory
