#include "store/database.h"

#include <fcntl.h>
#include <sqlite3.h>
#include <unistd.h>

namespace raddle {

namespace {

// A reader never holds the database this long, and an interrupted run must not wait longer.
constexpr int wait_for_others_ms = 1000;
// SQLite truncates the write-ahead log to this size after a checkpoint.
constexpr const char* kept_log_bytes = "16777216";

const char* advice_for(int code) {
    switch (code & 0xff) {
        case SQLITE_FULL: return "; make room on its disk and run the same command again, nothing committed is lost";
        case SQLITE_READONLY:
        case SQLITE_PERM:
        case SQLITE_AUTH:
            return "; make the directory and its files writable, give another with -C, or keep nothing with --no-store";
        case SQLITE_CANTOPEN:
            return "; see that the directory is there and can be written, give another with -C, or keep nothing with "
                   "--no-store";
        case SQLITE_CORRUPT:
        case SQLITE_NOTADB:
            return "; the file is damaged: put back a copy (raddle campaign export makes them), or give another "
                   "directory with -C";
        case SQLITE_BUSY:
        case SQLITE_LOCKED: return "; another program holds it: try again when that has ended";
        case SQLITE_IOERR: return "; look after its disk, then run the same command again";
        default: return "";
    }
}

std::string uri_of(const std::filesystem::path& file) {
    std::string uri = "file:";
    for (const char c : std::filesystem::absolute(file).string()) {
        if (c == '%' || c == '?' || c == '#') {
            constexpr const char* digits = "0123456789abcdef";
            uri += {'%', digits[(c >> 4) & 15], digits[c & 15]};
        } else {
            uri += c;
        }
    }
    return uri;
}

}  // namespace

// SQLite gives its other files the mode of this one. An error here is SQLite's to report: it opens the same file next.
void expect_private(const std::filesystem::path& file) {
    const int descriptor = ::open(file.c_str(), O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0600);
    if (descriptor >= 0) ::close(descriptor);
}

void Database::Close::operator()(sqlite3* handle) const { sqlite3_close_v2(handle); }

void Database::refuse(int code) const {
    const std::string what = handle_ ? sqlite3_errmsg(handle_.get()) : sqlite3_errstr(code);
    throw StoreError(file_.string() + ": " + what + advice_for(code));
}

void Database::open(const std::string& uri, int flags) {
    sqlite3* handle = nullptr;
    const int code = sqlite3_open_v2(uri.c_str(), &handle, flags | SQLITE_OPEN_URI, nullptr);
    handle_.reset(handle);
    if (code != SQLITE_OK) refuse(code);
    sqlite3_extended_result_codes(handle, 1);
    sqlite3_busy_timeout(handle, wait_for_others_ms);
}

Database::Database(const std::filesystem::path& file, Access access) : file_(file) {
    if (access == Access::read) {
        open(uri_of(file), SQLITE_OPEN_READONLY);
        if (sqlite3_exec(handle_.get(), "SELECT count(*) FROM sqlite_schema", nullptr, nullptr, nullptr) ==
            SQLITE_CANTOPEN) {
            // A read-only directory has no room for the readers' shared memory. Nobody can write there either, so none
            // is needed.
            open(uri_of(file) + "?immutable=1", SQLITE_OPEN_READONLY);
        }
        return;
    }
    if (access == Access::create) expect_private(file);
    open(uri_of(file), SQLITE_OPEN_READWRITE | (access == Access::create ? SQLITE_OPEN_CREATE : 0));
    if (sqlite3_db_readonly(handle_.get(), "main") == 1) refuse(SQLITE_READONLY);
    execute("PRAGMA journal_mode = WAL");
    // A power cut may lose the last batches, but never damages the database.
    execute("PRAGMA synchronous = NORMAL");
    execute(std::string("PRAGMA journal_size_limit = ") + kept_log_bytes);
    execute("PRAGMA foreign_keys = ON");
}

void Database::execute(const std::string& sql) {
    const int code = sqlite3_exec(handle_.get(), sql.c_str(), nullptr, nullptr, nullptr);
    if (code != SQLITE_OK) refuse(code);
}

std::int64_t Database::user_version() {
    Statement version(*this, "PRAGMA user_version");
    return version.next() ? version.number(0) : 0;
}

std::string Database::check_integrity() {
    Statement check(*this, "PRAGMA integrity_check(1)");
    if (!check.next()) return "no answer";
    const std::string answer = check.text(0);  // below a heading, if something is wrong
    return answer.substr(answer.find_last_of('\n') + 1);
}

// ---- statements

void Statement::Finalize::operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }

Statement::Statement(Database& database, const std::string& sql) : database_(database) {
    sqlite3_stmt* statement = nullptr;
    expect_ok(sqlite3_prepare_v2(database.handle_.get(), sql.c_str(), -1, &statement, nullptr));
    statement_.reset(statement);
}

void Statement::expect_ok(int code) const {
    if (code != SQLITE_OK) database_.refuse(code);
}

Statement& Statement::bind(int place, std::int64_t value) {
    expect_ok(sqlite3_bind_int64(statement_.get(), place, value));
    return *this;
}
Statement& Statement::bind(int place, double value) {
    expect_ok(sqlite3_bind_double(statement_.get(), place, value));
    return *this;
}
Statement& Statement::bind_text(int place, std::string_view value) {
    expect_ok(sqlite3_bind_text64(statement_.get(), place, value.data(), value.size(), SQLITE_TRANSIENT, SQLITE_UTF8));
    return *this;
}
Statement& Statement::bind_blob(int place, std::string_view value) {
    expect_ok(sqlite3_bind_blob64(statement_.get(), place, value.data() != nullptr ? value.data() : "", value.size(),
                                  SQLITE_TRANSIENT));
    return *this;
}
Statement& Statement::bind_null(int place) {
    expect_ok(sqlite3_bind_null(statement_.get(), place));
    return *this;
}

bool Statement::next() {
    const int code = sqlite3_step(statement_.get());
    if (code == SQLITE_ROW) return true;
    if (code != SQLITE_DONE) database_.refuse(code);
    return false;
}

void Statement::run() {
    while (next()) {}
    expect_ok(sqlite3_reset(statement_.get()));
}

bool Statement::is_null(int column) const { return sqlite3_column_type(statement_.get(), column) == SQLITE_NULL; }
std::int64_t Statement::number(int column) const { return sqlite3_column_int64(statement_.get(), column); }
double Statement::real(int column) const { return sqlite3_column_double(statement_.get(), column); }
std::string Statement::text(int column) const { return blob(column); }
std::string Statement::blob(int column) const {
    const void* bytes = sqlite3_column_blob(statement_.get(), column);
    if (bytes == nullptr) return {};
    return {static_cast<const char*>(bytes), static_cast<std::size_t>(sqlite3_column_bytes(statement_.get(), column))};
}

// ---- transactions

Transaction::Transaction(Database& database) : database_(database) { database_.execute("BEGIN IMMEDIATE"); }

Transaction::~Transaction() {
    if (!open_) return;
    try {
        database_.execute("ROLLBACK");
    } catch (const StoreError&) {
        // SQLite has rolled back by itself, as it does when the disk is full.
    }
}

void Transaction::commit() {
    database_.execute("COMMIT");
    open_ = false;
}

}  // namespace raddle
