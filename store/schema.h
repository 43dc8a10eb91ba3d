// The tables of campaign.db, and the migration of older versions.
#pragma once

#include "store/database.h"

namespace raddle {

// Incremented with every change; stored in PRAGMA user_version.
std::int64_t schema_version();

// Creates the tables or migrates older ones, in one transaction. Throws StoreError if the database is newer than this
// program, or belongs to another program.
void bring_up_to_date(Database& database);
// Creates the schema of that version, for tests of migration.
void make_schema(Database& database, std::int64_t version);

// For readers, which change nothing.
void expect_readable(Database& database);

}  // namespace raddle
