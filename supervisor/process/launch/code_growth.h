// What a growth of the visible set changes for earlier executions. The shim tells for each event which watched places
// its thread had passed (supervisor/protocol/code_label.h). An event behind a place that has become visible may now be
// another one.
#pragma once

#include <memory>
#include <set>
#include <unordered_map>
#include <vector>

#include "supervisor/protocol/code_label.h"
#include "supervisor/search/target.h"

namespace raddle {

// One growth. Everything that is not listed stays as it was.
struct CodeChange {
    bool everything = false;
    std::set<std::uint64_t> places{};      // visible now, see code_label.h
    std::vector<ObjectId> joined_words{};  // variables that begin there have other names now
    std::set<std::uint64_t> spin_sites{};  // reads there may have other spin values now
    bool forgets_spins = false;            // no read has spin values any more
};

class GrowthLog {
public:
    // The lists of places of one execution, as in Channel::code_words. The target wrote them.
    void learn_labels(const std::uint64_t* words, std::size_t count);
    void add(std::uint64_t epoch, CodeChange change) { changes_.emplace_back(epoch, std::move(change)); }
    // Null: everything may have changed.
    std::unique_ptr<Growth> since(std::uint64_t epoch) const;

private:
    static constexpr std::size_t most_places = 1 << 22;  // of all labels; a label without a list stands for any code

    std::unordered_map<std::uint64_t, std::vector<std::uint64_t>> labels_;
    std::size_t places_ = 0;
    std::vector<std::pair<std::uint64_t, CodeChange>> changes_;  // by epoch
};

}  // namespace raddle
