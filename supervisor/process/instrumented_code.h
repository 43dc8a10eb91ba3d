// Which instructions of a program are watched, and which are visible as actions: shared by all targets of a campaign.
// A program built with -fsanitize=thread tells of its accesses itself, by calls (tsan/): none of its instructions is armed,
// and what is visible are places of such calls, which become known as they are met.
// At first all are watched; those that turn out to touch memory that threads share become visible. The set only grows,
// and each time it does an epoch begins: what was learned of executions before is void, as they had fewer actions.
#pragma once

#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "supervisor/binary/decode/decode.h"
#include "supervisor/protocol/channel.h"
#include "supervisor/protocol/tsan_runtime.h"
#include "supervisor/search/target.h"

namespace raddle {

bool reports_accesses_of_itself(const std::string& executable);

enum class MemoryLevel { sync, atomics, races, all };
const char* name_of(MemoryLevel level);

class InstrumentedCode : public VisibleSet {
public:
    // The executable, and libraries by their paths. Throws BadInput for a file without code that can be followed.
    InstrumentedCode(const std::string& executable, const std::vector<std::string>& libraries, MemoryLevel level);
    ~InstrumentedCode() override;
    // The same, of which nothing is known yet but what is in its files.
    std::shared_ptr<InstrumentedCode> anew() const;

    std::uint64_t epoch() const override;
    void save(Writer& out) const override;
    void load(Reader& in) override;
    // What is visible, to begin with it another time. Throws BadInput.
    std::string text() const;
    void begin_with(const std::string& text);

    // A descriptor of the description for this epoch, owned by the caller.
    int describe() const;
    // What an execution found goes in, and is cleared where it was.
    // `epoch`: what it was executed in.
    void take_from(channel::Channel& channel, std::uint64_t epoch);

    MemoryLevel level() const { return level_; }
    std::size_t candidates() const { return listing_->sites.size(); }
    std::size_t visible() const;
    bool adds_actions() const;  // to those of calls that are seen without it
    // The executable tells of its accesses itself.
    bool reports_accesses() const { return listing_->reports_accesses; }
    struct Named {
        std::string file;
        code::Doubt doubt;
    };
    const std::vector<Named>& doubts() const { return listing_->doubts; }

private:
    void begin_with_spin(const std::string& text);
    void begin_with_freed(const std::string& text);
    bool add_freed(const memory::FreedBlock& block);
    bool add_spin(std::uint64_t site, std::uint64_t state, std::uint64_t value);
    // What was read of the files.
    struct Listing {
        bool reports_accesses = false;
        std::vector<memory::InstrumentedModule> modules;
        std::vector<memory::AccessSite> sites;
        std::vector<memory::ReportedCall> reported;
        std::vector<Named> doubts;

        void add(const std::string& path, bool is_executable);
        void add_reported(const code::ElfCode& elf, const std::string& path, bool is_executable);
    };
    InstrumentedCode(std::shared_ptr<const Listing> listing, MemoryLevel level);
    static std::shared_ptr<const Listing> listing_of(const std::string& executable, const std::vector<std::string>& libraries);

    const MemoryLevel level_;
    const std::shared_ptr<const Listing> listing_;

    mutable std::mutex lock_;
    std::vector<memory::Arming> arming_;
    std::vector<memory::JoinedWord> joined_;
    std::vector<memory::FreedBlock> freed_;
    std::set<std::uint64_t> calls_;
    std::vector<memory::SpinState> spins_;  // sorted
    bool stacks_ = false;
    bool signals_ = false;
    std::uint64_t epoch_ = 1;
    std::uint64_t accesses_since_ = 1;      // the epoch in which an access became visible last
};

}  // namespace raddle
