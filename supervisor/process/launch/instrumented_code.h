// The watched and the visible instructions of a program, shared by all targets of a campaign. A program built with
// -fsanitize=thread reports its accesses through calls (preload/tsan): none of its instructions is armed, and visible
// call sites take the place of instructions.
//
// At first all instructions are watched. Those that touch shared memory become visible. The set only grows, and each
// growth begins an epoch: earlier executions had fewer actions. Of their results only those hold that the growth does
// not concern (code_growth.h).
#pragma once

#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "supervisor/process/launch/code_growth.h"
#include "supervisor/process/launch/code_listing.h"
#include "supervisor/protocol/channel.h"
#include "supervisor/protocol/tsan_runtime.h"
#include "supervisor/search/target.h"

namespace raddle {

bool reports_accesses_of_itself(const std::string& executable);

enum class MemoryLevel { sync, atomics, races, all };
const char* name_of(MemoryLevel level);

class InstrumentedCode : public VisibleSet {
public:
    // The executable, and libraries: paths of files, and file names or patterns for those that the program loads.
    // Throws BadInput for a file without code that can be decoded.
    InstrumentedCode(const std::string& executable, const std::vector<std::string>& libraries, MemoryLevel level,
                     const std::vector<std::string>& excluded = {});
    ~InstrumentedCode() override;
    // A copy almost without results: the content of the files, and whether stacks are followed.
    std::shared_ptr<InstrumentedCode> anew() const;

    std::uint64_t epoch() const override;
    std::unique_ptr<Growth> growth_since(std::uint64_t epoch) const override;
    void save(Writer& out) const override;
    void load(Reader& in) override;
    // The visible set as text, from which a later run can start. Throws BadInput.
    std::string text() const;
    void begin_with(const std::string& text);

    // A descriptor of this epoch's code description, owned by the caller.
    int describe() const;
    // Moves the discoveries of an execution out of the channel. `epoch` is the epoch of that execution.
    void take_from(channel::Channel& channel, std::uint64_t epoch);

    MemoryLevel level() const { return level_; }
    std::size_t candidates() const { return listing()->sites.size(); }
    std::size_t visible() const;
    bool adds_actions() const;  // beyond the actions of intercepted calls
    // The executable reports its accesses itself.
    bool reports_accesses() const { return listing()->reports_accesses; }
    std::vector<CodeListing::SkippedPlace> skipped() const { return listing()->skipped; }

    // Libraries that an execution loaded. Unknown ones begin an epoch.
    void learn_libraries(const std::vector<std::string>& libraries);
    // From the next epoch on, stacks are followed too. False if they are already.
    bool follow_stacks();
    // Code that two threads ran and whose accesses are not followed, for people; empty if there is none. Libraries by
    // the bits of channel::Result::unwatched, each with the number of instructions if there is one; single places by
    // those of Result::skipped.
    std::string names_of_unwatched(std::uint64_t bits, const std::vector<std::uint32_t>& instructions) const;
    std::string names_of_skipped(std::uint64_t bits) const;
    // A file with more instructions than can be followed; empty: none.
    std::string truncated() const { return listing()->truncated; }

private:
    void begin_with_spin(const std::string& text);
    void begin_with_freed(const std::string& text);
    bool add_freed(const memory::FreedBlock& block);
    bool add_joined(const memory::JoinedWord& row);
    bool add_spin(std::uint64_t site, std::uint64_t state, std::uint64_t value);
    InstrumentedCode(std::shared_ptr<const CodeListing> listing, MemoryLevel level);
    // The caller holds lock_.
    bool add_found(const std::vector<std::string>& libraries);
    bool follow_met(std::uint64_t unwatched);
    void follow_again(const std::string& path);
    void begin_epoch(CodeChange change);
    CodeChange take_places(channel::Channel& channel);
    CodeChange take_spins(channel::Channel& channel);
    void arm_anew();
    std::shared_ptr<const CodeListing> listing() const;

    const MemoryLevel level_;
    mutable std::mutex lock_;
    const std::shared_ptr<const CodeListing> first_listing_;
    std::shared_ptr<const CodeListing> listing_;  // replaced when an execution loads more libraries
    std::vector<memory::Arming> arming_;
    std::vector<memory::JoinedWord> joined_;
    std::vector<memory::FreedBlock> freed_;
    std::set<std::uint64_t> calls_;
    std::vector<memory::SpinState> spins_;  // sorted
    bool stacks_ = false;
    bool signals_ = false;
    std::uint64_t epoch_ = 1;
    GrowthLog growth_;
    std::uint64_t accesses_since_ = 1;  // the last epoch in which an access became visible
};

}  // namespace raddle
