// The state of a search that only grows, saved in pieces: the changes since the last piece, and a small summary that is
// replaced. Saving costs as much as the changes, however large the state is.
//
//     state.record_changes();       // the whole state was saved
//     ... next(), learn() ...
//     state.take_changes(out);      // add this piece to those before
//     state.save_summary(now);      // replaces the summary before
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

    // Starts recording. Changes stay in memory until take_changes().
    virtual void record_changes() = 0;
    virtual bool records_changes() const = 0;
    virtual void take_changes(Writer& out) = 0;
    virtual void save_summary(Writer& out) const = 0;
    // The explored nodes. An older piece or none will do: the search walks missing nodes again, in memory.
    virtual void save_explored(Writer& out) const = 0;

    // The state that was saved as a whole takes the newest summary first, then all changes in order.
    virtual void load_summary(Reader& in) = 0;
    virtual void load_changes(Reader& in) = 0;
    virtual void load_explored(Reader& in) = 0;
};

// Adds or checks the version and the checksum of a piece on disk. Throws BadInput for damaged bytes.
std::string sealed(std::string_view piece);
std::string_view unsealed(std::string_view bytes);

// The 96 stored bits of a hash, and its number.
struct NumberedHash {
    std::uint64_t low = 0;
    std::uint32_t high = 0;
    std::uint32_t number = 0;
};
// Sorts the hashes and writes differences of neighbours, which are shorter.
void save_numbered(Writer& out, std::vector<NumberedHash>& hashes);
std::vector<NumberedHash> load_numbered(Reader& in, std::uint64_t limit);

}  // namespace raddle
