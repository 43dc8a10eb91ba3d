// Writes machine code into an area.
#pragma once

#include <cstring>
#include <initializer_list>

#include "preload/memory/copies/area.h"

namespace raddle::memory::copies {

class Emitter {
public:
    explicit Emitter(Area& area) : area_(area), at_(reinterpret_cast<unsigned char*>(area.begin + area.used)) {}
    ~Emitter() { area_.used = here() - area_.begin; }
    Emitter(const Emitter&) = delete;
    Emitter& operator=(const Emitter&) = delete;

    std::uint64_t here() const { return reinterpret_cast<std::uint64_t>(at_); }
    std::uint32_t offset() const { return static_cast<std::uint32_t>(here() - area_.begin); }
    bool reaches() const { return reaches_; }  // all distances fitted so far

    unsigned char* bytes(const void* from, std::size_t count) {
        unsigned char* const begin = at_;
        std::memcpy(at_, from, count);
        at_ += count;
        return begin;
    }
    void code(std::initializer_list<std::uint8_t> some) { bytes(some.begin(), some.size()); }
    template <typename Number>
    void number(Number value) {
        bytes(&value, sizeof value);
    }
    // A field of four bytes at the end of an instruction: the distance of its target.
    void distance_to(std::uint64_t target) {
        at_ += 4;
        set_distance(at_ - 4, target, here());
    }
    void set_distance(unsigned char* field, std::uint64_t target, std::uint64_t from) {
        const auto distance = static_cast<std::int64_t>(target - from);
        const auto narrow = static_cast<std::int32_t>(distance);
        std::memcpy(field, &narrow, sizeof narrow);
        reaches_ &= narrow == distance;
    }
    void jump_to(std::uint64_t target) {
        code({0xe9});
        distance_to(target);
    }

private:
    Area& area_;
    unsigned char* at_;
    bool reaches_ = true;
};

}  // namespace raddle::memory::copies
