// Campaigns on programs in memory, stored in a directory that the test removes.
#pragma once

#include <filesystem>
#include <functional>
#include <set>
#include <string>

#include "store/campaign_store.h"
#include "store/store_observer.h"
#include "supervisor/campaign/campaign.h"
#include "tests/model_program.h"

namespace raddle::testing {

class TemporaryDirectory {
public:
    TemporaryDirectory();
    ~TemporaryDirectory();
    TemporaryDirectory(const TemporaryDirectory&) = delete;
    TemporaryDirectory& operator=(const TemporaryDirectory&) = delete;
    std::filesystem::path operator/(const std::string& name) const { return path_ / name; }

private:
    std::filesystem::path path_;
};

struct Subject {
    std::string name;
    Code main;
    std::string strategy = "bounded";
    std::optional<std::uint32_t> max_bound{};
    std::chrono::microseconds time_of_execution{0};
    unsigned jobs = 1;
    std::function<void()> before_execution{};
};

// Commits often, so that short tests behave like long campaigns.
inline constexpr StoreRhythm hectic{std::chrono::milliseconds(5), std::chrono::milliseconds(40), 20000, 1};

// Resumes the campaign in the directory, or begins it. Reports each graph of the search.
struct StoredRun {
    CampaignResult result;
    std::uint64_t told_again = 0;
    std::uint64_t lost = 0;
    std::exception_ptr failure;  // thrown by the store
};
StoredRun run_stored(const Subject& subject, const std::filesystem::path& directory,
                     const std::function<void(const std::string& graph)>& on_graph = {},
                     const CampaignOptions& limits = {}, const StoreRhythm& rhythm = hectic);

// The final result, comparable as a whole.
struct Answer {
    std::uint64_t executions = 0;
    std::uint64_t graphs = 0;
    std::optional<std::uint32_t> complete_to;
    bool exhausted = false;
    std::set<std::string> bugs;  // kind, message, preemptions

    friend bool operator==(const Answer&, const Answer&) = default;
};
Answer answer_in(const std::filesystem::path& directory);
std::string text_of(const Answer& answer);

}  // namespace raddle::testing
