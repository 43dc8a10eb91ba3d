#include "supervisor/search/directed/facts.h"

#include <algorithm>
#include <vector>

#include "supervisor/base/hash.h"

namespace raddle {

std::uint64_t Facts::hash_of(Sort sort, std::uint64_t a, std::uint64_t b, std::uint64_t c) {
    return Hasher().add(sort).add(a).add(b).add(c).finish().low;
}

void Facts::note_read(std::uint64_t writer, std::uint64_t reader, std::optional<std::uint64_t> value) {
    note(source, writer, reader, 0);
    if (value) note(read_value, reader, *value, 0);
}

// Sorted, so that equal facts have equal bytes.
void Facts::save(Writer& out) const {
    std::vector<std::uint64_t> sorted(facts_.begin(), facts_.end());
    std::sort(sorted.begin(), sorted.end());
    out.number(sorted.size());
    for (const std::uint64_t fact : sorted) out.fixed64(fact);
}

void Facts::load(Reader& in) {
    facts_.clear();
    for (std::size_t left = in.count("number of facts"); left > 0; --left) facts_.insert(in.fixed64());
}

}  // namespace raddle
