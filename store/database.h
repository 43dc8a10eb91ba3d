// A thin layer over SQLite: every error becomes a StoreError that names the file and the remedy.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include "store/store_error.h"

struct sqlite3;
struct sqlite3_stmt;

namespace raddle {

class Database {
public:
    enum class Access { read, write, create };

    Database(const std::filesystem::path& file, Access access);

    void execute(const std::string& sql);
    std::int64_t user_version();
    // "ok", or the first fault.
    std::string check_integrity();
    const std::filesystem::path& file() const { return file_; }

private:
    friend class Statement;
    struct Close {
        void operator()(sqlite3* handle) const;
    };
    [[noreturn]] void refuse(int code) const;
    void open(const std::string& uri, int flags);

    std::filesystem::path file_;
    std::unique_ptr<sqlite3, Close> handle_;
};

//     Statement rows(database, "SELECT key, value FROM identity WHERE place > ?");
//     rows.bind(1, 0);
//     while (rows.next()) use(rows.text(0));
class Statement {
public:
    Statement(Database& database, const std::string& sql);

    Statement& bind(int place, std::int64_t value);
    Statement& bind(int place, std::uint64_t value) { return bind(place, static_cast<std::int64_t>(value)); }
    Statement& bind(int place, double value);
    Statement& bind_text(int place, std::string_view value);
    Statement& bind_blob(int place, std::string_view value);
    Statement& bind_null(int place);

    bool next();
    // For statements without result rows; can be bound and run again.
    void run();

    bool is_null(int column) const;
    std::int64_t number(int column) const;
    double real(int column) const;
    std::string text(int column) const;
    std::string blob(int column) const;

private:
    struct Finalize {
        void operator()(sqlite3_stmt* statement) const;
    };
    void expect_ok(int code) const;

    Database& database_;
    std::unique_ptr<sqlite3_stmt, Finalize> statement_;
};

// Rolled back unless committed.
class Transaction {
public:
    explicit Transaction(Database& database);
    ~Transaction();
    Transaction(const Transaction&) = delete;
    Transaction& operator=(const Transaction&) = delete;
    void commit();

private:
    Database& database_;
    bool open_ = true;
};

// Makes an empty file that only its user can read, if there is no file of that name yet.
void expect_private(const std::filesystem::path& file);

}  // namespace raddle
