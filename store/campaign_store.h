// A campaign directory: campaign.db, bugs/, and the lock. What one batch says is committed together or not at all.
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
#include "supervisor/search/strategy.h"

namespace raddle {

struct StoredBug {
    Finding finding;
    std::uint64_t first_seen = 0;  // executions before it
    std::uint64_t times = 0;
};

// As far as the campaign has come, over all its runs.
struct StoredProgress {
    Coverage coverage;
    std::uint64_t milliseconds = 0;
    std::map<Verdict, std::uint64_t> endings;
    double executions_per_second = 0;  // of late
    std::optional<Estimate> remaining{}, remaining_in_all{};
};

// What the run that came last was asked for, and why it ended.
struct LastRun {
    std::optional<std::uint32_t> bound;  // none: every schedule
    std::string ended;                   // name_of(CampaignEnd); empty: it is under way, or something ended it from outside
    std::string failure{};               // of the target, if that ended it
};

// What replays of a bug came to.
struct StoredProof {
    Verdict verdict = Verdict::ok;
    std::string place;
    unsigned runs = 0, reproduced = 0;
    std::string divergence{};            // of a replay that did not show it
};

// Of a program that has changed since.
struct OldBug {
    std::int64_t number = 0;
    Finding finding;
    std::string file;  // the text of its schedule file; empty: there is none
};

// Executions that were not seen to their end.
struct StoredCut {
    Finding first;
    std::uint64_t times = 0;
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

// What came to a search that grows, since the pieces before (see search/growing.h).
struct Pieces {
    std::string growth;                  // added to that before
    std::string now;                     // replaces the one before
    std::optional<std::string> walked;   // replaces the one before
};

// What is committed together.
struct Batch {
    std::optional<std::string> state;     // replaces the state there is, its pieces, and the journal
    std::optional<Pieces> pieces;         // on top of the state
    std::optional<JournalBatch> journal;  // executed after the state
    StoredProgress progress;
    std::vector<StoredBug> bugs;          // new, or seen again: replace those of the same verdict and place
    std::vector<StoredCut> cuts;          // added to those of the same verdict and message
    bool history = false;                 // whether progress becomes a row of the history
};

class CampaignStore {
public:
    enum class Open { read, write };

    // To write, the directory is made if it is not there, and is locked. Throws StoreError.
    CampaignStore(const std::filesystem::path& directory, Open how);

    static bool is_in(const std::filesystem::path& directory);

    bool is_new() const { return identity().rows().empty(); }
    void begin(const Identity& identity, const std::vector<OldBug>& old_bugs = {});
    // Throws StoreError that names the first difference.
    void expect(const Identity& identity) const;
    // What begin() was given and nobody has tried yet.
    std::vector<OldBug> old_bugs() const;
    void forget(const OldBug& bug);
    Identity identity() const;

    // What is read in there belongs together, also while somebody writes.
    void read_together(const std::function<void()>& read) const;

    bool has_state() const;
    std::string state() const;                  // empty: none yet
    std::string piece(const std::string& name) const;  // empty: none
    void each_growth(const std::function<void(const std::string&)>& act) const;
    std::vector<JournalBatch> journal() const;  // since then
    StoredProgress progress() const;
    std::vector<HistoryRow> history() const;
    std::vector<StoredBug> bugs() const;        // in the order in which they were found
    std::vector<StoredCut> cuts() const;
    std::optional<LastRun> last_run() const;    // nothing if an older version ran it
    std::vector<StoredProof> proofs() const;
    std::uint64_t bytes() const;                // on disk

    void commit(const Batch& batch);
    void note_run(const LastRun& run);
    void note_proofs(const std::vector<StoredProof>& proofs);

    // Forgets all but identity and bugs: the search begins anew.
    void prune();
    // One file that another machine can import; safe while somebody writes.
    void export_to(const std::filesystem::path& file) const;
    // "ok", or what is wrong.
    std::string verify() const;

    const std::filesystem::path& directory() const { return directory_; }

private:
    bool has_table(const char* name) const;
    void write_state(const std::string& bytes);
    void write_pieces(const Pieces& pieces);
    void write_piece(const char* name, const std::string& bytes);
    void write_journal(const JournalBatch& batch);
    void write_progress(const StoredProgress& progress);
    void write_outlook(const StoredProgress& progress);
    void write_history(const StoredProgress& progress);
    void write_bug(const StoredBug& bug);
    void write_cut(const StoredCut& cut);

    std::filesystem::path directory_;
    std::unique_ptr<DirectoryLock> lock_;
    mutable std::unique_ptr<Database> database_;
};

// Makes a campaign of an exported file. Throws StoreError if the directory holds one already.
void import_campaign(const std::filesystem::path& file, const std::filesystem::path& directory);

}  // namespace raddle
