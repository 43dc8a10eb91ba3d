// A search whose state only grows can be kept in pieces: what has come since the last piece, and the little that changes.
// Keeping it then costs what is new, however much there is.
//
//     growing.record_changes();                          // what is there has been kept
//     ... next(), learn() ...
//     growing.take_changes(out);                       // to be added to the pieces before
//     growing.save_summary(now);                          // to replace the one before
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "supervisor/base/bytes.h"
#include "supervisor/base/hash.h"

namespace raddle {

class IncrementalState {
public:
    IncrementalState() = default;
    virtual ~IncrementalState() = default;
    IncrementalState(const IncrementalState&) = delete;
    IncrementalState& operator=(const IncrementalState&) = delete;

    // From now on. Whoever asks for it takes the growth, too: it is held until then.
    virtual void record_changes() = 0;
    virtual bool records_changes() const = 0;
    virtual void take_changes(Writer& out) = 0;
    virtual void save_summary(Writer& out) const = 0;
    // Where the search has been. An older one will do, or none: what it lacks is walked again, in memory.
    virtual void save_explored(Writer& out) const = 0;

    // On what was there when growth was first noted: first the newest `now`, then all growth in its order.
    virtual void load_summary(Reader& in) = 0;
    virtual void load_changes(Reader& in) = 0;
    virtual void load_explored(Reader& in) = 0;
};

// As they are on disk, with a version and a checksum. Throws BadInput if they are not as they were.
std::string sealed(std::string_view piece);
std::string_view unsealed(std::string_view bytes);

// The 96 bits of a hash that are kept, and what it stands for.
struct NumberedHash {
    std::uint64_t low = 0;
    std::uint32_t high = 0;
    std::uint32_t number = 0;
};
// Sorts them: what neighbours have in common is not written.
void save_numbered(Writer& out, std::vector<NumberedHash>& hashes);
std::vector<NumberedHash> load_numbered(Reader& in, std::uint64_t limit);

}  // namespace raddle
