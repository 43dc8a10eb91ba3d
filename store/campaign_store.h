// A campaign directory: campaign.db, bugs/, and the lock. A batch is committed completely or not at all.
//
//     CampaignStore store(directory, CampaignStore::Open::write);
//     store.expect(identity);                    // or begin(identity), the first time
//     store.commit(batch);
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "store/database.h"
#include "store/directory_lock.h"
#include "store/identity.h"
#include "supervisor/search/bug.h"
#include "supervisor/search/strategy.h"
#include "supervisor/trace/seen_outputs.h"

namespace raddle {

// The progress of the campaign over all its runs.
struct StoredProgress {
    Coverage coverage;
    std::uint64_t milliseconds = 0;
    std::map<Verdict, std::uint64_t> endings;
    bool leaves_output_open = false;   // in some execution, see Execution
    bool waits_long = false;           // in some execution, see Execution
    double executions_per_second = 0;  // over the last seconds
    std::optional<Estimate> remaining{}, remaining_in_all{};
};

// The settings of the latest run, and the reason for its end.
struct LastRun {
    std::optional<std::uint32_t> bound;  // none: every schedule
    std::string ended;                   // name_of(CampaignEnd); empty: it still runs, or was killed
    std::string failure{};               // of the target, if a failure ended the run
    std::string level_because{};         // the reason for exploring calls only, if raddle chose that
};

// Rules of judging, and the number of executions that were judged by them.
struct StoredJudging {
    std::string rules;  // options and values, a line each; empty: the default rules
    std::uint64_t executions = 0;
    bool is_current = false;
};

struct HistoryRow {
    std::uint64_t milliseconds = 0;
    std::uint64_t executions = 0;
    std::uint64_t graphs = 0;
    std::uint64_t frontier = 0;
    std::uint64_t bound = 0;
    std::uint64_t bugs = 0;
    std::uint64_t abandoned = 0;
    double executions_per_second = 0;
    std::optional<Estimate> remaining{};
};

struct JournalBatch {
    std::uint64_t executions = 0;
    unsigned workers = 1;
    std::string bytes;
};

// The new part of a growing search since the last pieces (see search/incremental_state.h).
struct Pieces {
    std::string growth;                 // appended to the earlier growth
    std::string now;                    // replaces the earlier value
    std::optional<std::string> walked;  // replaces the earlier value
};

// The content of one transaction.
struct Batch {
    std::optional<std::string> state;     // replaces the stored state, its pieces, and the journal
    std::optional<Pieces> pieces;         // added to the state
    std::optional<JournalBatch> journal;  // executed after the state
    StoredProgress progress;
    std::vector<Bug> bugs;  // new bugs, and bugs seen again: they replace rows of the same verdict and key
    std::vector<Bug> cuts;  // executions that were cut: added to the rows of the same verdict and message
    bool history = false;   // whether progress becomes a row of the history too
};

class CampaignStore {
public:
    enum class Open { read, write };

    // Open::write makes the directory if it is missing, and locks it. Throws StoreError.
    CampaignStore(const std::filesystem::path& directory, Open how);

    static bool is_in(const std::filesystem::path& directory);

    bool is_new() const { return identity().rows().empty(); }
    void begin(const Identity& identity, const std::vector<Bug>& old_bugs = {});
    // Throws a StoreError that names the first difference.
    void expect(const Identity& identity) const;
    // The bugs of an older build, passed to begin(), that nobody has tried yet. Their numbers count on their own.
    std::vector<Bug> old_bugs() const;
    void forget_old(const Bug& bug);
    Identity identity() const;

    // All reads inside `read` see one transaction, even while another process writes.
    void read_together(const std::function<void()>& read) const;

    bool has_state() const;
    std::string state() const;                         // empty: none yet
    std::string piece(const std::string& name) const;  // empty: none
    void each_growth(const std::function<void(const std::string&)>& act) const;
    std::vector<JournalBatch> journal() const;  // executions since the state
    StoredProgress progress() const;
    std::vector<HistoryRow> history() const;
    std::vector<Bug> bugs() const;  // found and proven; oldest first
    std::vector<Bug> cuts() const;
    std::optional<LastRun> last_run() const;  // nothing if an older version ran it
    // The environment of the first run, to which --env is added; nothing if an older version began the campaign.
    std::optional<std::vector<std::string>> environment() const;
    // All rules that executions were judged by, the current ones among them. Their executions add up to all there are.
    std::vector<StoredJudging> judging() const;
    SeenOutputs outputs() const;  // up to the end of the latest run that ended by itself
    std::uint64_t bytes() const;  // on disk

    void commit(const Batch& batch);
    void note_run(const LastRun& run);
    void note_proofs(const std::vector<Bug>& bugs);
    // Replaces them.
    void note_outputs(const SeenOutputs& outputs);
    void record_environment(const std::vector<std::string>& entries);
    // From now on executions are judged by these rules.
    void judge_by(const std::string& rules);
    // Executions of another campaign, which was merged into this one.
    void add_judged(const std::string& rules, std::uint64_t executions);
    // The bug is none by the rules that hold now.
    void forget_bug(const Finding& finding);

    // Forgets everything except identity and bugs: the search begins anew.
    void prune();
    // Writes one file that another machine can import; safe while another process writes.
    void export_to(const std::filesystem::path& file) const;
    // "ok", or the first fault.
    std::string verify() const;

    const std::filesystem::path& directory() const { return directory_; }

private:
    void expect_undamaged() const;
    bool has_table(const char* name) const;
    std::map<BugKey, Proven> proofs() const;
    void write_state(const std::string& bytes);
    void write_pieces(const Pieces& pieces);
    void write_piece(const char* name, const std::string& bytes);
    void write_journal(const JournalBatch& batch);
    void write_progress(const StoredProgress& progress);
    void write_outlook(const StoredProgress& progress);
    void write_history(const StoredProgress& progress);
    void write_bug(const Bug& bug);
    void write_cut(const Bug& cut);

    std::filesystem::path directory_;
    std::unique_ptr<DirectoryLock> lock_;
    mutable std::unique_ptr<Database> database_;
};

// Turns an exported file into a campaign. Throws StoreError if the directory already holds one.
void import_campaign(const std::filesystem::path& file, const std::filesystem::path& directory);

}  // namespace raddle
