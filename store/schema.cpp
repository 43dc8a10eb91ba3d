#include "store/schema.h"

#include <iterator>

namespace raddle {

namespace {

// Step n turns version n into version n + 1. Stored on disk: never change a step, append another.
constexpr const char* steps[] = {
    // 1: the identity of a campaign, and the state of its search
    R"(
    CREATE TABLE identity (
        place INTEGER PRIMARY KEY,       -- in the order in which differences are looked for
        key   TEXT NOT NULL UNIQUE,
        value TEXT NOT NULL
    ) STRICT;
    CREATE TABLE state (                 -- the search as it was once; its chunks joined are one saved strategy
        chunk INTEGER PRIMARY KEY,
        bytes BLOB NOT NULL
    ) STRICT;
    CREATE TABLE journal (               -- what was executed since, a row a batch
        batch INTEGER PRIMARY KEY,
        executions INTEGER NOT NULL,
        workers INTEGER NOT NULL,        -- so many executions may have been out at once
        bytes BLOB NOT NULL
    ) STRICT;
    CREATE TABLE counter (
        name  TEXT PRIMARY KEY,
        value INTEGER NOT NULL
    ) STRICT;
    CREATE TABLE bug (
        number      INTEGER PRIMARY KEY,
        verdict     TEXT NOT NULL,
        message     TEXT NOT NULL,
        preemptions INTEGER NOT NULL,
        schedule    TEXT NOT NULL,
        first_seen  INTEGER NOT NULL,    -- executions before it
        times       INTEGER NOT NULL,
        UNIQUE (verdict, message)
    ) STRICT;
    )",
    // 2: progress over several runs, and the endings of executions
    R"(
    CREATE TABLE history (
        milliseconds INTEGER PRIMARY KEY,  -- of running, over all runs
        executions   INTEGER NOT NULL,
        graphs       INTEGER NOT NULL,
        frontier     INTEGER NOT NULL,
        bound        INTEGER NOT NULL,
        bugs         INTEGER NOT NULL
    ) STRICT;
    CREATE TABLE ending (
        verdict TEXT PRIMARY KEY,
        times   INTEGER NOT NULL
    ) STRICT;
    CREATE TABLE reason (                -- why nothing more can be claimed
        text TEXT PRIMARY KEY
    ) STRICT;
    )",
    // 3: a bug's key is its location in the code, not its message with thread names
    R"(
    CREATE TABLE bug_with_place (
        number      INTEGER PRIMARY KEY,
        verdict     TEXT NOT NULL,
        place       TEXT NOT NULL,
        message     TEXT NOT NULL,
        preemptions INTEGER NOT NULL,
        schedule    TEXT NOT NULL,
        first_seen  INTEGER NOT NULL,
        times       INTEGER NOT NULL,
        UNIQUE (verdict, place)
    ) STRICT;
    INSERT INTO bug_with_place SELECT number, verdict, message, message, preemptions, schedule, first_seen, times FROM bug;
    DROP TABLE bug;
    ALTER TABLE bug_with_place RENAME TO bug;
    )",
    // 4: executions that were cut; bugs of earlier builds
    R"(
    CREATE TABLE cut (
        verdict  TEXT NOT NULL,
        message  TEXT NOT NULL,
        schedule TEXT NOT NULL,          -- of the first one
        times    INTEGER NOT NULL,
        PRIMARY KEY (verdict, message)
    ) STRICT;
    CREATE TABLE old_bug (               -- its schedule is to be run before all others
        number      INTEGER PRIMARY KEY,
        verdict     TEXT NOT NULL,
        message     TEXT NOT NULL,
        preemptions INTEGER NOT NULL,
        schedule    TEXT NOT NULL
    ) STRICT;
    )",
    // 5: speed, and the estimate of what remains
    R"(
    CREATE TABLE outlook (               -- of the latest moment
        name  TEXT PRIMARY KEY,
        value REAL NOT NULL
    ) STRICT;
    ALTER TABLE history ADD COLUMN abandoned INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE history ADD COLUMN executions_per_second REAL NOT NULL DEFAULT 0;
    ALTER TABLE history ADD COLUMN remaining_low REAL;   -- executions, at this bound; NULL: nobody knew
    ALTER TABLE history ADD COLUMN remaining REAL;
    ALTER TABLE history ADD COLUMN remaining_high REAL;
    )",
    // 6: growing searches are stored in pieces on top of a state
    R"(
    CREATE TABLE growth (                -- what came, batch by batch
        batch INTEGER PRIMARY KEY,
        bytes BLOB NOT NULL
    ) STRICT;
    CREATE TABLE piece (                 -- what is replaced: 'now' and 'walked'
        name  TEXT NOT NULL,
        chunk INTEGER NOT NULL,
        bytes BLOB NOT NULL,
        PRIMARY KEY (name, chunk)
    ) STRICT;
    )",
    // 7: settings and end of the latest run; results of proofs
    R"(
    CREATE TABLE last_run (              -- one row
        place   INTEGER PRIMARY KEY CHECK (place = 1),
        bound   INTEGER,                 -- NULL: none
        ended   TEXT NOT NULL,           -- empty: it is under way, or something ended it from outside
        failure TEXT NOT NULL
    ) STRICT;
    CREATE TABLE proof (
        verdict    TEXT NOT NULL,
        place      TEXT NOT NULL,
        runs       INTEGER NOT NULL,
        reproduced INTEGER NOT NULL,
        divergence TEXT NOT NULL,        -- of a replay that did not show it
        PRIMARY KEY (verdict, place)
    ) STRICT;
    )",
    // 8: the names needed to follow a schedule on another build
    R"(
    ALTER TABLE old_bug ADD COLUMN file TEXT NOT NULL DEFAULT '';  -- its schedule file; empty: there was none
    )",
    // 9: the environment of the program, the same in every run; the rules by which executions were judged, which are no
    // longer part of the identity
    R"(
    CREATE TABLE environment (
        place INTEGER PRIMARY KEY,
        entry TEXT NOT NULL              -- NAME=VALUE, of the first run, without the entries of --env
    ) STRICT;
    CREATE TABLE judging (
        rules      TEXT PRIMARY KEY,     -- options and values, a line each; empty: the default rules
        executions INTEGER NOT NULL,     -- judged by them; for the current rules not kept up to date
        is_current INTEGER NOT NULL
    ) STRICT;
    INSERT INTO judging SELECT group_concat(key || char(10) || value, char(10)), 0, 1 FROM identity
        WHERE key IN ('--fail-on', '--expect-exit') AND value <> '' HAVING count(*) > 0;
    DELETE FROM identity WHERE key IN ('--fail-on', '--expect-exit');
    )",
    // 10: the reason for exploring calls only
    R"(
    ALTER TABLE last_run ADD COLUMN level_because TEXT NOT NULL DEFAULT '';
    )",
    // 11: the part of a search that found a bug
    R"(
    CREATE TABLE found_by (
        verdict TEXT NOT NULL,
        place   TEXT NOT NULL,
        part    TEXT NOT NULL,
        PRIMARY KEY (verdict, place)
    ) STRICT;
    )",
    // 12: the different outputs of the program
    R"(
    CREATE TABLE output (
        exit_status INTEGER NOT NULL,
        hash        TEXT NOT NULL,       -- of the standard output
        bytes       INTEGER NOT NULL,    -- of it
        begins      BLOB NOT NULL,       -- its first bytes
        times       INTEGER NOT NULL,
        schedule    TEXT NOT NULL,       -- of one execution; empty: none is known
        PRIMARY KEY (exit_status, hash, bytes)
    ) STRICT;
    )",
    // 13: where the threads stood in an execution that did nothing visible any more (trace/standing.h)
    R"(
    ALTER TABLE cut ADD COLUMN standing BLOB;
    )",
};

constexpr std::int64_t newest = std::size(steps);
// Readers look for later columns and tables, and accept that they are missing.
constexpr std::int64_t oldest_readable = 6;
// "radl": identifies our databases to file(1) and to raddle.
constexpr const char* application_id = "1918985324";

std::int64_t application_id_of(Database& database) {
    Statement id(database, "PRAGMA application_id");
    return id.next() ? id.number(0) : 0;
}

bool is_empty(Database& database) {
    Statement tables(database, "SELECT count(*) FROM sqlite_schema");
    return tables.next() && tables.number(0) == 0;
}

void expect_ours(Database& database) {
    if (std::to_string(application_id_of(database)) != application_id)
        throw StoreError(database.file().string() + ": this is no campaign of raddle; give another directory with -C");
    const std::int64_t version = database.user_version();
    if (version < 1)
        throw StoreError(database.file().string() + ": it is damaged: its format has the number " +
                         std::to_string(version) + "; give another directory with -C");
    if (version > newest)
        throw StoreError(database.file().string() + ": its format is " + std::to_string(version) +
                         ", this raddle knows formats up to " + std::to_string(newest) + "; use a newer raddle");
}

void take_steps(Database& database, std::int64_t from, std::int64_t to) {
    Transaction transaction(database);
    database.execute(std::string("PRAGMA application_id = ") + application_id);
    for (std::int64_t version = from; version < to; ++version) database.execute(steps[version]);
    database.execute("PRAGMA user_version = " + std::to_string(to));
    transaction.commit();
}

}  // namespace

std::int64_t schema_version() { return newest; }

void make_schema(Database& database, std::int64_t version) { take_steps(database, 0, version); }

void bring_up_to_date(Database& database) {
    if (is_empty(database)) return make_schema(database, newest);
    expect_ours(database);
    if (const std::int64_t version = database.user_version(); version < newest) take_steps(database, version, newest);
}

void expect_readable(Database& database) {
    expect_ours(database);
    if (const std::int64_t version = database.user_version(); version < oldest_readable)
        throw StoreError(database.file().string() + ": its format is " + std::to_string(version) +
                         ", an older one; raddle run brings it up to date");
}

}  // namespace raddle
