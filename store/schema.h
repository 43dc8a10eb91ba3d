// The tables of campaign.db, and how a database of an older version becomes one of this.
#pragma once

#include "store/database.h"

namespace raddle {

// Counts up with every change; kept in PRAGMA user_version.
std::int64_t schema_version();

// Makes the tables, or brings older ones up to date, in one transaction. Throws StoreError if the database is newer
// than this program or is none of its own.
void bring_up_to_date(Database& database);
// The same as it was in that version, for tests of migration.
void make_schema(Database& database, std::int64_t version);

// For readers, who change nothing.
void expect_readable(Database& database);

}  // namespace raddle
