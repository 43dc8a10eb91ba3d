// A disk that is full after a number of bytes, a database locked by another process: one line reports it, and the
// campaign continues afterwards without a loss. (A disk that really is full: store_test.cpp, if the test may mount
// one.)
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sqlite3.h>

#include <atomic>
#include <map>

#include "store/database.h"
#include "tests/programs.h"
#include "tests/store/campaigns.h"

namespace raddle::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

const Subject many_graphs{"locks(3,3)", locks(3, 3)};

std::string text_of_failure(const std::function<StoredRun()>& act) {
    try {
        if (const StoredRun run = act(); run.failure) std::rethrow_exception(run.failure);
    } catch (const StoreError& error) {
        EXPECT_THAT(error.what(), Not(HasSubstr("\n")));
        return error.what();
    }
    return {};
}

// SQLite's file layer with room for a number of bytes. Everything else works as before.
class Room {
public:
    explicit Room(std::int64_t bytes) {
        real() = sqlite3_vfs_find(nullptr);
        left() = bytes;
        small_ = *real();
        small_.zName = "small";
        small_.xOpen = open;
        sqlite3_vfs_register(&small_, 1);
    }
    ~Room() {
        sqlite3_vfs_register(real(), 1);
        sqlite3_vfs_unregister(&small_);
    }
    Room(const Room&) = delete;
    Room& operator=(const Room&) = delete;
    bool was_too_small() const { return left() < 0; }

private:
    static sqlite3_vfs*& real() {
        static sqlite3_vfs* vfs = nullptr;
        return vfs;
    }
    static std::atomic<std::int64_t>& left() {
        static std::atomic<std::int64_t> bytes{0};
        return bytes;
    }
    // Files of different kinds have different methods, but the same write function.
    static std::map<const sqlite3_io_methods*, sqlite3_io_methods>& methods() {
        static std::map<const sqlite3_io_methods*, sqlite3_io_methods> all;
        return all;
    }
    static int (*&real_write())(sqlite3_file*, const void*, int, sqlite3_int64) {
        static int (*function)(sqlite3_file*, const void*, int, sqlite3_int64) = nullptr;
        return function;
    }
    static int write(sqlite3_file* file, const void* bytes, int count, sqlite3_int64 at) {
        if ((left() -= count) < 0) return SQLITE_FULL;
        return real_write()(file, bytes, count, at);
    }
    static int open(sqlite3_vfs*, const char* name, sqlite3_file* file, int flags, int* out) {
        const int code = real()->xOpen(real(), name, file, flags, out);
        if (file->pMethods == nullptr) return code;
        real_write() = file->pMethods->xWrite;
        sqlite3_io_methods& limited = methods()[file->pMethods];
        limited = *file->pMethods;
        limited.xWrite = write;
        file->pMethods = &limited;
        return code;
    }

    sqlite3_vfs small_{};
};

TEST(Trouble, AFullDiskAtAnyMomentIsReportedAndNothingIsLost) {
    const TemporaryDirectory place;
    run_stored(many_graphs, place / "whole");
    const std::string whole = text_of(answer_in(place / "whole"));
    int ended_early = 0;
    std::int64_t bytes = 20'000;
    for (bool fits = false; !fits; bytes += bytes / 3) {
        const std::filesystem::path directory = place / ("c" + std::to_string(bytes));
        {
            const Room room(bytes);
            const std::string said = text_of_failure([&] { return run_stored(many_graphs, directory); });
            fits = !room.was_too_small();
            if (!fits && !said.empty()) {  // only closing the file failed, and the log has everything
                EXPECT_THAT(said, HasSubstr("make room on its disk")) << bytes;
                ++ended_early;
            }
        }
        EXPECT_EQ(text_of_failure([&] { return run_stored(many_graphs, directory); }), "");
        EXPECT_EQ(text_of(answer_in(directory)), whole) << "after a disk of " << bytes << " bytes";
        EXPECT_EQ(CampaignStore(directory, CampaignStore::Open::read).verify(), "ok");
    }
    EXPECT_GE(ended_early, 3);
}

TEST(Trouble, ALockedDatabaseIsReportedAndNothingIsLost) {
    const TemporaryDirectory place;
    run_stored(many_graphs, place / "whole");
    run_stored(many_graphs, place / "c", {}, {.max_executions = 500});
    const auto expect_refused = [&] {
        EXPECT_THAT(text_of_failure([&] { return run_stored(many_graphs, place / "c"); }),
                    HasSubstr("another program holds it: try again when that has ended"));
    };
    {
        Database other(place / "c/campaign.db", Database::Access::write);
        other.execute("BEGIN EXCLUSIVE");
        expect_refused();
    }
    EXPECT_EQ(answer_in(place / "c").executions, 500u);
    // In the middle of a run, the failure ends the run.
    std::atomic<bool> held{false};
    std::unique_ptr<Database> other;
    const auto hold = [&](const std::string&) {
        if (held.exchange(true)) return;
        other = std::make_unique<Database>(place / "c/campaign.db", Database::Access::write);
        other->execute("BEGIN IMMEDIATE");
    };
    EXPECT_THAT(text_of_failure([&] { return run_stored(many_graphs, place / "c", hold); }),
                HasSubstr("another program holds it"));
    other.reset();
    run_stored(many_graphs, place / "c");
    EXPECT_EQ(text_of(answer_in(place / "c")), text_of(answer_in(place / "whole")));
}

}  // namespace
}  // namespace raddle::testing
