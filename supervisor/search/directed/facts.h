// Facts of all executions so far, by code: the orders of conflicting events, the writes and values that reads got, and
// the pairs of accesses that another thread's access has separated. Candidates that contradict no fact are novel.
#pragma once

#include <cstdint>
#include <optional>
#include <unordered_set>

#include "supervisor/base/bytes.h"

namespace raddle {

class Facts {
public:
    // Code of the memory's initial value, in place of a write.
    static constexpr std::uint64_t initial = 0;

    void note_order(std::uint64_t first, std::uint64_t second) { note(order, first, second, 0); }
    bool has_order(std::uint64_t first, std::uint64_t second) const { return has(order, first, second, 0); }
    void note_read(std::uint64_t writer, std::uint64_t reader, std::optional<std::uint64_t> value);
    bool has_read(std::uint64_t writer, std::uint64_t reader) const { return has(source, writer, reader, 0); }
    // An unknown value counts as known.
    bool has_value(std::uint64_t reader, std::optional<std::uint64_t> value) const {
        return !value || has(read_value, reader, *value, 0);
    }
    void note_separated(std::uint64_t first, std::uint64_t between, std::uint64_t second) {
        note(separated, first, between, second);
    }
    bool has_separated(std::uint64_t first, std::uint64_t between, std::uint64_t second) const {
        return has(separated, first, between, second);
    }

    std::size_t size() const { return facts_.size(); }
    void save(Writer& out) const;
    void load(Reader& in);

private:
    enum Sort : std::uint64_t { order = 1, source, read_value, separated };
    // Beyond this number new facts are forgotten: candidates then only seem more novel than they are.
    static constexpr std::size_t most = 1'000'000;

    static std::uint64_t hash_of(Sort sort, std::uint64_t a, std::uint64_t b, std::uint64_t c);
    void note(Sort sort, std::uint64_t a, std::uint64_t b, std::uint64_t c) {
        if (facts_.size() < most) facts_.insert(hash_of(sort, a, b, c));
    }
    bool has(Sort sort, std::uint64_t a, std::uint64_t b, std::uint64_t c) const {
        return facts_.contains(hash_of(sort, a, b, c));
    }

    std::unordered_set<std::uint64_t> facts_;
};

}  // namespace raddle
