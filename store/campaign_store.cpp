#include "store/campaign_store.h"

#include <system_error>

#include "store/campaign_files.h"
#include "store/schema.h"
#include "supervisor/base/error.h"

namespace raddle {

namespace {

namespace fs = std::filesystem;

// The state is one row. SQLite takes no blob beyond a billion bytes and copies each as a whole.
constexpr const char* forget_search = "DELETE FROM state; DELETE FROM growth; DELETE FROM piece; DELETE FROM journal; ";
constexpr std::size_t chunk_bytes = std::size_t{4} << 20;

Verdict verdict_named(const std::string& name) {
    try {
        return parse_verdict(name);
    } catch (const BadInput& unknown) {
        throw StoreError("the campaign has a verdict that this raddle does not know (" + std::string(unknown.what()) +
                         "); use a newer one");
    }
}

}  // namespace

bool CampaignStore::is_in(const fs::path& directory) {
    std::error_code error;
    return fs::exists(directory / database_name, error);
}

CampaignStore::CampaignStore(const fs::path& directory, Open how) : directory_(directory) {
    if (how == Open::read) {
        if (!is_in(directory))
            throw StoreError(directory.string() + ": there is no campaign in this directory (no " + database_name +
                             ")");
        database_ = std::make_unique<Database>(directory / database_name, Database::Access::read);
        expect_readable(*database_);
        return;
    }
    make_directory(directory);
    lock_ = std::make_unique<DirectoryLock>(directory);
    const bool goes_on = is_in(directory);
    database_ = std::make_unique<Database>(directory / database_name, Database::Access::create);
    if (goes_on) expect_undamaged();
    bring_up_to_date(*database_);
    const Transaction can_be_written(
        *database_);  // fails here, before anything is executed, if the directory is read-only
}

// Nothing may be claimed on what a damaged file says, and nothing added to it.
void CampaignStore::expect_undamaged() const {
    const std::string answer = verify();
    if (answer != "ok")
        throw StoreError(
            database_->file().string() + ": it is damaged (" + answer +
            "); its bugs are in bugs/ still. Begin anew with --resume never, or give another directory with -C");
}

// ---- identity

void CampaignStore::begin(const Identity& identity, const std::vector<Bug>& old_bugs) {
    Transaction transaction(*database_);
    Statement insert(*database_, "INSERT INTO identity (key, value) VALUES (?, ?)");
    for (const IdentityRow& row : identity.rows()) insert.bind_text(1, row.key).bind_text(2, row.value).run();
    Statement old(*database_,
                  "INSERT INTO old_bug (verdict, message, preemptions, schedule, file) VALUES (?, ?, ?, ?, ?)");
    for (const Bug& bug : old_bugs) {
        if (!is_bug(bug.found.verdict)) continue;
        old.bind_text(1, name_of(bug.found.verdict)).bind_text(2, bug.found.message);
        old.bind(3, std::uint64_t{bug.found.preemptions})
            .bind_text(4, text_of(bug.found.schedule))
            .bind_text(5, bug.filed ? bug.filed->schedule : "")
            .run();
    }
    transaction.commit();
}

std::vector<Bug> CampaignStore::old_bugs() const {
    std::vector<Bug> bugs;
    Statement rows(*database_,
                   "SELECT number, verdict, message, preemptions, schedule, file FROM old_bug ORDER BY number");
    while (rows.next()) {
        Bug& bug = bugs.emplace_back(Bug{{{verdict_named(rows.text(1)), static_cast<std::uint32_t>(rows.number(3)),
                                           parse_schedule(rows.text(4)), rows.text(2)}}});
        bug.filed = Filed{.number = static_cast<unsigned>(rows.number(0)), .schedule = rows.text(5)};
    }
    return bugs;
}

void CampaignStore::forget_old(const Bug& bug) {
    Statement(*database_, "DELETE FROM old_bug WHERE number = ?").bind(1, std::uint64_t{bug.filed->number}).run();
}

Identity CampaignStore::identity() const {
    Identity identity;
    Statement rows(*database_, "SELECT key, value FROM identity ORDER BY place");
    while (rows.next()) identity.add(rows.text(0), rows.text(1));
    return identity;
}

void CampaignStore::expect(const Identity& now) const {
    const std::string different = difference(identity(), now);
    if (!different.empty())
        throw StoreError(directory_.string() + " is another campaign: " + different +
                         "; run it as it was, begin anew with --rebase (which first tries the bugs found so far) or "
                         "with --resume never, or give another directory with -C");
}

// ---- reading

void CampaignStore::read_together(const std::function<void()>& read) const {
    database_->execute("BEGIN");
    struct End {
        ~End() {
            try {
                database.execute("COMMIT");
            } catch (const StoreError&) {
                // Nothing was written, so nothing is lost.
            }
        }
        Database& database;
    } const end{*database_};
    read();
}

bool CampaignStore::has_state() const { return Statement(*database_, "SELECT 1 FROM state LIMIT 1").next(); }

std::string CampaignStore::state() const {
    std::string bytes;
    Statement chunks(*database_, "SELECT bytes FROM state ORDER BY chunk");
    while (chunks.next()) bytes += chunks.blob(0);
    return bytes;
}

std::string CampaignStore::piece(const std::string& name) const {
    std::string bytes;
    Statement chunks(*database_, "SELECT bytes FROM piece WHERE name = ? ORDER BY chunk");
    chunks.bind_text(1, name);
    while (chunks.next()) bytes += chunks.blob(0);
    return bytes;
}

void CampaignStore::each_growth(const std::function<void(const std::string&)>& act) const {
    Statement rows(*database_, "SELECT bytes FROM growth ORDER BY batch");
    while (rows.next()) act(rows.blob(0));
}

std::vector<JournalBatch> CampaignStore::journal() const {
    std::vector<JournalBatch> batches;
    Statement rows(*database_, "SELECT executions, workers, bytes FROM journal ORDER BY batch");
    while (rows.next())
        batches.push_back(
            {static_cast<std::uint64_t>(rows.number(0)), static_cast<unsigned>(rows.number(1)), rows.blob(2)});
    return batches;
}

StoredProgress CampaignStore::progress() const {
    StoredProgress progress;
    Coverage& coverage = progress.coverage;
    std::map<std::string, std::uint64_t> counters;
    Statement rows(*database_, "SELECT name, value FROM counter");
    while (rows.next()) counters[rows.text(0)] = static_cast<std::uint64_t>(rows.number(1));
    coverage.executions = counters["executions"];
    coverage.void_executions = counters["void_executions"];
    coverage.graphs = counters["graphs"];
    coverage.abandoned = counters["abandoned"];
    coverage.predictions = counters["predictions"];
    coverage.came_true = counters["came_true"];
    coverage.frontier = counters["frontier"];
    coverage.bound = static_cast<std::uint32_t>(counters["bound"]);
    if (counters.contains("complete_to")) coverage.complete_to = static_cast<std::uint32_t>(counters["complete_to"]);
    coverage.exhausted = counters["exhausted"] != 0;
    coverage.is_sweeping = counters["sweeping"] != 0;
    progress.milliseconds = counters["milliseconds"];
    progress.leaves_output_open = counters["output_open"] != 0;
    progress.waits_long = counters["long_waits"] != 0;
    std::map<std::string, double> outlook;
    Statement values(*database_, "SELECT name, value FROM outlook");
    while (values.next()) outlook[values.text(0)] = values.real(1);
    progress.executions_per_second = outlook["executions_per_second"];
    const auto estimate = [&](const std::string& name) -> std::optional<Estimate> {
        if (!outlook.contains(name)) return std::nullopt;
        return Estimate{outlook[name + "_low"], outlook[name], outlook[name + "_high"]};
    };
    progress.remaining = estimate("remaining");
    progress.remaining_in_all = estimate("remaining_in_all");
    Statement reasons(*database_, "SELECT text FROM reason ORDER BY rowid");
    while (reasons.next()) coverage.incomplete_because.push_back(reasons.text(0));
    Statement endings(*database_, "SELECT verdict, times FROM ending");
    while (endings.next())
        progress.endings[verdict_named(endings.text(0))] = static_cast<std::uint64_t>(endings.number(1));
    return progress;
}

std::vector<HistoryRow> CampaignStore::history() const {
    std::vector<HistoryRow> history;
    Statement rows(*database_,
                   "SELECT milliseconds, executions, graphs, frontier, bound, bugs, abandoned, executions_per_second, "
                   "remaining_low, remaining, remaining_high FROM history ORDER BY milliseconds");
    const auto number = [&](int column) { return static_cast<std::uint64_t>(rows.number(column)); };
    while (rows.next()) {
        history.push_back({number(0), number(1), number(2), number(3), number(4), number(5), number(6), rows.real(7)});
        if (!rows.is_null(9)) history.back().remaining = Estimate{rows.real(8), rows.real(9), rows.real(10)};
    }
    return history;
}

std::map<BugKey, Proven> CampaignStore::proofs() const {
    std::map<BugKey, Proven> proofs;
    if (!has_table("proof")) return proofs;
    Statement rows(*database_, "SELECT verdict, place, runs, reproduced, divergence FROM proof");
    while (rows.next())
        proofs[{verdict_named(rows.text(0)), rows.text(1)}] = {static_cast<unsigned>(rows.number(2)),
                                                               static_cast<unsigned>(rows.number(3)), rows.text(4)};
    return proofs;
}

std::vector<Bug> CampaignStore::bugs() const {
    std::vector<Bug> bugs;
    const std::map<BugKey, Proven> proofs = this->proofs();
    Statement rows(*database_,
                   "SELECT verdict, message, preemptions, schedule, first_seen, times, place FROM bug ORDER BY number");
    while (rows.next()) {
        Bug& bug = bugs.emplace_back();
        Found& found = bug.found;
        found.verdict = verdict_named(rows.text(0));
        found.message = rows.text(1);
        found.preemptions = static_cast<std::uint32_t>(rows.number(2));
        found.schedule = parse_schedule(rows.text(3));
        found.first_seen = static_cast<std::uint64_t>(rows.number(4));
        found.times = static_cast<std::uint64_t>(rows.number(5));
        found.key = rows.text(6);
        if (const auto proof = proofs.find(key_of(found)); proof != proofs.end()) bug.proven = proof->second;
    }
    if (!has_table("found_by")) return bugs;
    Statement parts(*database_, "SELECT verdict, place, part FROM found_by");
    while (parts.next())
        if (Bug* bug = find_bug(bugs, {verdict_named(parts.text(0)), parts.text(1)}))
            bug->found.found_by = parts.text(2);
    return bugs;
}

std::vector<Bug> CampaignStore::cuts() const {
    std::vector<Bug> cuts;
    constexpr std::int64_t first_with_standing = 13;
    const bool has_standing = database_->user_version() >= first_with_standing;
    Statement rows(*database_, std::string("SELECT verdict, message, schedule, times") +
                                   (has_standing ? ", standing" : "") + " FROM cut ORDER BY rowid");
    while (rows.next()) {
        Found& cut = cuts.emplace_back().found;
        cut = {{verdict_named(rows.text(0)), 0, parse_schedule(rows.text(2)), rows.text(1)},
               static_cast<std::uint64_t>(rows.number(3))};
        if (!has_standing || rows.is_null(4)) continue;
        const std::string bytes = rows.blob(4);
        Reader in(bytes);
        cut.standing = std::make_shared<const Standing>(load_standing(in));
    }
    return cuts;
}

// An older version made this campaign, and we only read it.
bool CampaignStore::has_table(const char* name) const {
    Statement table(*database_, "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?");
    table.bind_text(1, name);
    return table.next();
}

std::optional<LastRun> CampaignStore::last_run() const {
    if (!has_table("last_run")) return std::nullopt;
    Statement row(*database_, "SELECT bound, ended, failure FROM last_run");
    if (!row.next()) return std::nullopt;
    LastRun run{std::nullopt, row.text(1), row.text(2)};
    if (!row.is_null(0)) run.bound = static_cast<std::uint32_t>(row.number(0));
    constexpr std::int64_t first_with_level = 10;
    if (database_->user_version() < first_with_level) return run;
    Statement level(*database_, "SELECT level_because FROM last_run");
    if (level.next()) run.level_because = level.text(0);
    return run;
}

std::uint64_t CampaignStore::bytes() const {
    std::uint64_t bytes = 0;
    for (const char* suffix : {"", "-wal"}) {
        std::error_code error;
        const auto size = fs::file_size((directory_ / database_name).string() + suffix, error);
        if (!error) bytes += size;
    }
    return bytes;
}

// ---- writing

void CampaignStore::commit(const Batch& batch) {
    Transaction transaction(*database_);
    if (batch.state) write_state(*batch.state);
    if (batch.pieces) write_pieces(*batch.pieces);
    if (batch.journal) write_journal(*batch.journal);
    write_progress(batch.progress);
    write_outlook(batch.progress);
    for (const Bug& bug : batch.bugs) write_bug(bug);
    for (const Bug& cut : batch.cuts) write_cut(cut);
    if (batch.history) write_history(batch.progress);
    transaction.commit();
}

void CampaignStore::note_run(const LastRun& run) {
    Statement row(*database_, "INSERT OR REPLACE INTO last_run VALUES (1, ?, ?, ?, ?)");
    run.bound ? row.bind(1, std::uint64_t{*run.bound}) : row.bind_null(1);
    row.bind_text(2, run.ended).bind_text(3, run.failure).bind_text(4, run.level_because).run();
}

void CampaignStore::note_proofs(const std::vector<Bug>& bugs) {
    Transaction transaction(*database_);
    Statement row(*database_, "INSERT OR REPLACE INTO proof VALUES (?, ?, ?, ?, ?)");
    for (const Bug& bug : bugs)
        if (bug.proven)
            row.bind_text(1, name_of(bug.found.verdict))
                .bind_text(2, bug.found.key)
                .bind(3, std::uint64_t{bug.proven->runs})
                .bind(4, std::uint64_t{bug.proven->reproduced})
                .bind_text(5, bug.proven->divergence)
                .run();
    transaction.commit();
}

void CampaignStore::write_state(const std::string& bytes) {
    database_->execute(forget_search);
    Statement insert(*database_, "INSERT INTO state (bytes) VALUES (?)");
    for (std::size_t at = 0; at < bytes.size(); at += chunk_bytes)
        insert.bind_blob(1, std::string_view(bytes).substr(at, chunk_bytes)).run();
}

void CampaignStore::write_pieces(const Pieces& pieces) {
    Statement(*database_, "INSERT INTO growth (bytes) VALUES (?)").bind_blob(1, pieces.growth).run();
    write_piece("now", pieces.now);
    if (pieces.walked) write_piece("walked", *pieces.walked);
}

void CampaignStore::write_piece(const char* name, const std::string& bytes) {
    Statement(*database_, "DELETE FROM piece WHERE name = ?").bind_text(1, name).run();
    Statement insert(*database_, "INSERT INTO piece VALUES (?, ?, ?)");
    for (std::size_t at = 0; at < bytes.size(); at += chunk_bytes)
        insert.bind_text(1, name)
            .bind(2, std::uint64_t{at / chunk_bytes})
            .bind_blob(3, std::string_view(bytes).substr(at, chunk_bytes))
            .run();
}

void CampaignStore::write_journal(const JournalBatch& batch) {
    Statement(*database_, "INSERT INTO journal (executions, workers, bytes) VALUES (?, ?, ?)")
        .bind(1, batch.executions)
        .bind(2, std::uint64_t{batch.workers})
        .bind_blob(3, batch.bytes)
        .run();
}

void CampaignStore::write_progress(const StoredProgress& progress) {
    const Coverage& coverage = progress.coverage;
    Statement counter(*database_, "INSERT OR REPLACE INTO counter VALUES (?, ?)");
    const auto count = [&](const char* name, std::uint64_t value) { counter.bind_text(1, name).bind(2, value).run(); };
    count("executions", coverage.executions);
    count("void_executions", coverage.void_executions);
    count("graphs", coverage.graphs);
    count("abandoned", coverage.abandoned);
    count("predictions", coverage.predictions);
    count("came_true", coverage.came_true);
    count("frontier", coverage.frontier);
    count("bound", coverage.bound);
    count("exhausted", coverage.exhausted ? 1 : 0);
    count("sweeping", coverage.is_sweeping ? 1 : 0);
    count("milliseconds", progress.milliseconds);
    count("output_open", progress.leaves_output_open ? 1 : 0);
    count("long_waits", progress.waits_long ? 1 : 0);
    if (coverage.complete_to)
        count("complete_to", *coverage.complete_to);
    else
        database_->execute("DELETE FROM counter WHERE name = 'complete_to'");
    database_->execute("DELETE FROM reason");
    Statement reason(*database_, "INSERT OR IGNORE INTO reason VALUES (?)");
    for (const std::string& text : coverage.incomplete_because) reason.bind_text(1, text).run();
    Statement ending(*database_, "INSERT OR REPLACE INTO ending VALUES (?, ?)");
    for (const auto& [verdict, times] : progress.endings) ending.bind_text(1, name_of(verdict)).bind(2, times).run();
}

void CampaignStore::write_outlook(const StoredProgress& progress) {
    database_->execute("DELETE FROM outlook");
    Statement row(*database_, "INSERT INTO outlook VALUES (?, ?)");
    row.bind_text(1, "executions_per_second").bind(2, progress.executions_per_second).run();
    const auto write = [&](const char* name, const std::optional<Estimate>& estimate) {
        if (!estimate) return;
        row.bind_text(1, std::string(name) + "_low").bind(2, estimate->low).run();
        row.bind_text(1, name).bind(2, estimate->likely).run();
        row.bind_text(1, std::string(name) + "_high").bind(2, estimate->high).run();
    };
    write("remaining", progress.remaining);
    write("remaining_in_all", progress.remaining_in_all);
}

void CampaignStore::write_history(const StoredProgress& progress) {
    const Coverage& coverage = progress.coverage;
    Statement row(*database_,
                  "INSERT OR REPLACE INTO history (milliseconds, executions, graphs, frontier, bound, bugs, abandoned, "
                  "executions_per_second, remaining_low, remaining, remaining_high) "
                  "VALUES (?, ?, ?, ?, ?, (SELECT count(*) FROM bug), ?, ?, ?, ?, ?)");
    row.bind(1, progress.milliseconds)
        .bind(2, coverage.executions_in_all())
        .bind(3, coverage.graphs)
        .bind(4, coverage.frontier)
        .bind(5, std::uint64_t{coverage.bound})
        .bind(6, coverage.abandoned)
        .bind(7, progress.executions_per_second);
    if (const std::optional<Estimate>& left = progress.remaining)
        row.bind(8, left->low).bind(9, left->likely).bind(10, left->high);
    else
        row.bind_null(8).bind_null(9).bind_null(10);
    row.run();
}

void CampaignStore::write_bug(const Bug& bug) {
    Statement(*database_,
              "INSERT INTO bug (verdict, message, preemptions, schedule, first_seen, times, place) "
              "VALUES (?, ?, ?, ?, ?, ?, ?) "
              "ON CONFLICT (verdict, place) DO UPDATE SET message = excluded.message, "
              "preemptions = excluded.preemptions, schedule = excluded.schedule, times = excluded.times")
        .bind_text(1, name_of(bug.found.verdict))
        .bind_text(2, bug.found.message)
        .bind(3, std::uint64_t{bug.found.preemptions})
        .bind_text(4, text_of(bug.found.schedule))
        .bind(5, bug.found.first_seen)
        .bind(6, bug.found.times)
        .bind_text(7, bug.found.key)
        .run();
    if (bug.found.found_by.empty()) return;
    Statement(*database_, "INSERT OR IGNORE INTO found_by (verdict, place, part) VALUES (?, ?, ?)")
        .bind_text(1, name_of(bug.found.verdict))
        .bind_text(2, bug.found.key)
        .bind_text(3, bug.found.found_by)
        .run();
}

void CampaignStore::write_cut(const Bug& cut) {
    Statement row(*database_,
                  "INSERT INTO cut (verdict, message, schedule, times, standing) VALUES (?, ?, ?, ?, ?) "
                  "ON CONFLICT (verdict, message) DO UPDATE SET times = times + excluded.times");
    row.bind_text(1, name_of(cut.found.verdict))
        .bind_text(2, cut.found.message)
        .bind_text(3, text_of(cut.found.schedule))
        .bind(4, cut.found.times);
    Writer standing;
    if (cut.found.standing) save(*cut.found.standing, standing);
    cut.found.standing ? row.bind_blob(5, standing.bytes()) : row.bind_null(5);
    row.run();
}

// ---- the whole file

void CampaignStore::prune() {
    database_->execute(
        "BEGIN IMMEDIATE; " + std::string(forget_search) +
        "DELETE FROM counter; DELETE FROM history; "
        "DELETE FROM outlook; DELETE FROM ending; DELETE FROM reason; DELETE FROM cut; DELETE FROM output; DELETE FROM last_run; DELETE FROM judging WHERE is_current = 0; COMMIT; "
        "VACUUM; "
        "PRAGMA wal_checkpoint(TRUNCATE)");
}

void CampaignStore::export_to(const fs::path& file) const {
    std::error_code error;
    if (fs::exists(file, error)) throw StoreError(file.string() + ": there is such a file already; give another name");
    // The file has the environment of the program, which may hold secrets.
    expect_private(file);
    Statement(*database_, "VACUUM INTO ?").bind_text(1, file.string()).run();
}

std::string CampaignStore::verify() const { return database_->check_integrity(); }

}  // namespace raddle
