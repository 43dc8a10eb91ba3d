// A campaign is written to disk and read back; unfit or impossible requests are refused in one line.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/mount.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <fstream>
#include <thread>

#include "store/build_id.h"
#include "store/resume.h"
#include "store/schema.h"
#include "tests/programs.h"
#include "tests/store/campaigns.h"

namespace raddle::testing {
namespace {

using std::chrono::microseconds;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

const Subject six_graphs{"locks(2,2)", locks(2, 2)};   // 4!/(2!2!) = 6
const Subject many_graphs{"locks(3,3)", locks(3, 3)};  // 9!/(3!)^3 = 1680

// The message of the failure; empty if there is none.
template <typename Act>
std::string refusal(Act&& act) {
    try {
        act();
    } catch (const StoreError& error) {
        EXPECT_THAT(error.what(), Not(HasSubstr("\n")));
        return error.what();
    }
    return {};
}

void open_to_write(const std::filesystem::path& directory) { CampaignStore(directory, CampaignStore::Open::write); }

TEST(Store, KeepsTheResultsOfARun) {
    const TemporaryDirectory place;
    run_stored(six_graphs, place / "c");
    EXPECT_EQ(text_of(answer_in(place / "c")), "6 executions, 6 graphs, complete to 2, exhausted");
}

TEST(Store, KeepsWhereTheThreadsStoodInAnExecutionThatWasCut) {
    const TemporaryDirectory place;
    run_stored(six_graphs, place / "c");
    Standing standing;
    standing.threads = {{"T1", "runs", {{"spin", "hang.c", 7, "hang", 16, false}}}};
    Bug cut;
    cut.found = {{Verdict::uncontrolled, 0, {}, "no action for 10000 ms"}, 2};
    cut.found.standing = std::make_shared<const Standing>(standing);
    {
        CampaignStore store(place / "c", CampaignStore::Open::write);
        Batch batch;
        batch.progress = store.progress();
        batch.cuts = {cut};
        store.commit(batch);
    }
    const std::vector<Bug> read = CampaignStore(place / "c", CampaignStore::Open::read).cuts();
    ASSERT_EQ(read.size(), 1u);
    ASSERT_TRUE(read[0].found.standing);
    EXPECT_EQ(lines_of(*read[0].found.standing), lines_of(standing));
    EXPECT_EQ(read[0].found.times, 2u);
}

TEST(Store, ContinuesAfterTheBudgetEnded) {
    const TemporaryDirectory place;
    run_stored(many_graphs, place / "whole");
    for (int i = 0; i < 3; ++i) run_stored(many_graphs, place / "c", {}, {.max_executions = 500});
    EXPECT_EQ(answer_in(place / "c").executions, 1500u);
    run_stored(many_graphs, place / "c");
    EXPECT_EQ(text_of(answer_in(place / "c")), text_of(answer_in(place / "whole")));
}

TEST(Store, ExecutesNothingAgainWhenTheBoundIsRaised) {
    const TemporaryDirectory place;
    Subject subject = many_graphs;
    for (const auto& [bound, graphs] : {std::pair{0u, 6u}, {1u, 42u}, {2u, 192u}, {3u, 552u}}) {
        subject.max_bound = bound;
        run_stored(subject, place / "c");
        const Answer answer = answer_in(place / "c");
        EXPECT_EQ(answer.complete_to, bound);
        EXPECT_EQ(answer.graphs, graphs);
        EXPECT_LE(answer.executions, graphs);
    }
}

// A search that is saved only as a whole.
TEST(Store, ReplaysJournalledExecutions) {
    const TemporaryDirectory place;
    const Subject subject{"locks(3,3)", locks(3, 3), "optimal"};
    // Never saves a state, and never ends: the process disappears as if it were killed.
    const StoreRhythm never{std::chrono::milliseconds(0), std::chrono::hours(1), 1u << 30, 1};
    const pid_t child = ::fork();
    if (child == 0) {
        const CampaignOptions limits{.max_executions = 700};
        try {
            run_stored(
                subject, place / "c",
                [count = 0](const std::string&) mutable {
                    if (++count == 600) ::_exit(0);
                },
                limits, never);
        } catch (...) {}
        ::_exit(1);
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    ASSERT_EQ(status, 0);
    const StoredRun run = run_stored(subject, place / "c");
    EXPECT_GT(run.told_again, 500u);
    EXPECT_EQ(run.lost, 0u);
    EXPECT_EQ(answer_in(place / "c").executions, 1680u);
}

TEST(Store, WritesOnlyTheNewPartOfAGrowingSearch) {
    const TemporaryDirectory place;
    const auto written = [&] {
        const CampaignStore store(place / "c", CampaignStore::Open::read);
        std::size_t growth = 0;
        store.each_growth([&](const std::string& bytes) { growth += bytes.size(); });
        return std::pair(store.state().size(), growth);
    };
    std::uint64_t executions = 0;
    for (const std::uint64_t more : {200u, 400u, 800u}) {
        const auto [state_before, growth_before] = executions > 0 ? written() : std::pair<std::size_t, std::size_t>{};
        const StoredRun run = run_stored(many_graphs, place / "c", {}, {.max_executions = more});
        EXPECT_EQ(run.told_again, 0u);
        const auto [state, growth] = written();
        EXPECT_TRUE(executions == 0 || state == state_before) << "all was written again";
        EXPECT_GT(growth, growth_before);
        EXPECT_LT(growth - growth_before, 200 * more);
        executions += more;
        EXPECT_EQ(answer_in(place / "c").executions, executions);
    }
}

TEST(Store, BringsVersion1UpToDate) {
    const TemporaryDirectory place;
    std::filesystem::create_directories(place / "c");
    {
        Database old(place / "c/campaign.db", Database::Access::create);
        make_schema(old, 1);
        old.execute("INSERT INTO identity (key, value) VALUES ('program', 'locks(2,2)'), ('--strategy', 'bounded')");
        old.execute("INSERT INTO bug VALUES (1, 'deadlock', 'stuck', 1, 'T0*2', 3, 2)");
    }
    EXPECT_THAT(refusal([&] { CampaignStore(place / "c", CampaignStore::Open::read); }), HasSubstr("an older one"));
    run_stored(six_graphs, place / "c");
    EXPECT_EQ(text_of(answer_in(place / "c")),
              "6 executions, 6 graphs, complete to 2, exhausted; deadlock: stuck, 1 preemptions");
    EXPECT_EQ(Database(place / "c/campaign.db", Database::Access::read).user_version(), schema_version());
}

// Every earlier version of the database, with rows in all of its tables.
TEST(Store, BringsEveryOlderVersionUpToDate) {
    for (std::int64_t version = 1; version < schema_version(); ++version) {
        const TemporaryDirectory place;
        std::filesystem::create_directories(place / "c");
        {
            Database old(place / "c/campaign.db", Database::Access::create);
            make_schema(old, version);
            EXPECT_EQ(old.user_version(), version);
            old.execute(
                "INSERT INTO identity (key, value) VALUES ('program', 'locks(2,2)'), ('--strategy', 'bounded')");
            old.execute("INSERT INTO counter VALUES ('executions', 0), ('milliseconds', 1234)");
            old.execute("INSERT INTO bug (verdict, message, preemptions, schedule, first_seen, times" +
                        std::string(version >= 3 ? ", place" : "") + ") VALUES ('deadlock', 'stuck', 1, 'T0*2', 3, 2" +
                        (version >= 3 ? ", 'there')" : ")"));
            if (version >= 2)
                old.execute(
                    "INSERT INTO history (milliseconds, executions, graphs, frontier, bound, bugs) VALUES (1234, 0, 0, 0, 0, 1)");
        }
        run_stored(six_graphs, place / "c");
        EXPECT_EQ(text_of(answer_in(place / "c")),
                  "6 executions, 6 graphs, complete to 2, exhausted; deadlock: stuck, 1 preemptions");
        const CampaignStore store(place / "c", CampaignStore::Open::read);
        EXPECT_GE(store.progress().milliseconds, 1234u);
        EXPECT_EQ(store.verify(), "ok");
        EXPECT_EQ(Database(place / "c/campaign.db", Database::Access::read).user_version(), schema_version());
    }
}

TEST(Store, KeepsSettingsAndReplayResults) {
    const TemporaryDirectory place;
    {
        CampaignStore store(place / "c", CampaignStore::Open::write);
        EXPECT_FALSE(store.last_run());
        store.note_run({3, ""});
        Batch batch;
        Bug there{{{Verdict::deadlock, 0, {}, "waits", "there"}, 1}, Proven{3, 3}};
        Bug here{{{Verdict::crash, 1, {}, "falls", "here"}, 2}, Proven{3, 0}};
        batch.bugs = {there, here, {{{Verdict::crash, 1, {}, "falls", "nowhere"}, 1}}};
        store.commit(batch);
        store.note_proofs(batch.bugs);
        here.proven = Proven{3, 1, "another step"};
        store.note_proofs({here});
        store.note_run({std::nullopt, "failed", "no such file"});
    }
    const CampaignStore store(place / "c", CampaignStore::Open::read);
    ASSERT_TRUE(store.last_run());
    EXPECT_FALSE(store.last_run()->bound) << "every schedule";
    EXPECT_EQ(store.last_run()->ended, "failed");
    EXPECT_EQ(store.last_run()->failure, "no such file");
    const std::vector<Bug> bugs = store.bugs();
    ASSERT_EQ(bugs.size(), 3u);
    EXPECT_EQ(bugs[0].proven.value().reproduced, 3u);
    EXPECT_FALSE(bugs[0].is_unstable());
    EXPECT_EQ(bugs[1].found.key, "here");
    EXPECT_EQ(bugs[1].proven.value().reproduced, 1u);
    EXPECT_EQ(bugs[1].proven->divergence, "another step");
    EXPECT_TRUE(bugs[1].is_unstable());
    EXPECT_FALSE(bugs[2].proven) << "nobody replayed it";
}

TEST(Store, ReadsThePreviousVersionUnchanged) {
    const TemporaryDirectory place;
    std::filesystem::create_directories(place / "c");
    {
        Database old(place / "c/campaign.db", Database::Access::create);
        make_schema(old, 6);
        old.execute("INSERT INTO counter VALUES ('executions', 5)");
    }
    const CampaignStore store(place / "c", CampaignStore::Open::read);
    EXPECT_EQ(store.progress().coverage.executions, 5u);
    EXPECT_FALSE(store.last_run());
    EXPECT_TRUE(store.bugs().empty());
}

TEST(Store, RefusesADatabaseOfANewerRaddle) {
    const TemporaryDirectory place;
    open_to_write(place / "c");
    Database(place / "c/campaign.db", Database::Access::write).execute("PRAGMA user_version = 99");
    EXPECT_THAT(refusal([&] { open_to_write(place / "c"); }), HasSubstr("use a newer raddle"));
}

TEST(Store, RefusesADatabaseOfAnotherProgram) {
    const TemporaryDirectory place;
    std::filesystem::create_directories(place / "c");
    Database(place / "c/campaign.db", Database::Access::create).execute("CREATE TABLE other (x)");
    EXPECT_THAT(refusal([&] { open_to_write(place / "c"); }), HasSubstr("no campaign of raddle"));
    std::ofstream(place / "c/campaign.db") << std::string(10000, 'x');
    EXPECT_THAT(refusal([&] { open_to_write(place / "c"); }), HasSubstr("not a database"));
}

TEST(Store, NamesTheFirstDifference) {
    Identity before, now;
    before.add("--max-steps", "100000");
    before.add("file /lib/some.so", "build-id aa");
    before.add_environment({"LANG=C", "SHLVL=1"});
    now = before;
    EXPECT_EQ(difference(before, now), "");
    now = {};
    now.add("--max-steps", "7");
    EXPECT_EQ(difference(before, now), "--max-steps was 100000, now it is 7");
    now = {};
    now.add("--max-steps", "100000");
    now.add("file /lib/some.so", "build-id bb");
    EXPECT_EQ(difference(before, now), "/lib/some.so has changed: it was build-id aa, now it is build-id bb");
    now = {};
    now.add("--max-steps", "100000");
    now.add("file /lib/some.so", "build-id aa");
    now.add_environment({"LANG=de", "SHLVL=2"});
    EXPECT_EQ(difference(before, now), "the environment variable LANG had another value");
}

TEST(Store, KnowsTheFilesOfAProgram) {
    const auto files = files_loaded_by("/proc/self/exe", {"PATH=/bin"});
    ASSERT_GE(files.size(), 3u);  // the program, the loader, libc
    EXPECT_TRUE(
        std::any_of(files.begin(), files.end(), [](const auto& file) { return file.filename() == "libc.so.6"; }));
    for (const auto& file : files) EXPECT_THAT(build_id_of(file), HasSubstr("build-id "));
}

// Inspecting a stranger's program must not execute the loader that its file names.
TEST(Store, DoesNotExecuteAProgramsOwnLoader) {
    const TemporaryDirectory place;
    std::ifstream source("/bin/true", std::ios::binary);
    std::string bytes{std::istreambuf_iterator<char>(source), {}};
    const std::string usual = "/lib64/ld-linux-x86-64.so.2";
    const std::size_t at = bytes.find(usual);
    ASSERT_NE(at, std::string::npos);
    char short_place[] = "/tmp/rXXXXXX";  // at most as long as usual
    ASSERT_NE(::mkdtemp(short_place), nullptr);
    const std::filesystem::path loader = std::filesystem::path(short_place) / "ld",
                                trace = std::filesystem::path(short_place) / "ran";
    std::ofstream(loader) << "#!/bin/sh\ntouch " << trace.string() << "\n";
    std::filesystem::permissions(loader, std::filesystem::perms::owner_all);
    std::string padded = loader.string();
    padded.resize(usual.size());
    bytes.replace(at, usual.size(), padded);
    std::ofstream(place / "program", std::ios::binary) << bytes;
    const auto files = files_loaded_by(place / "program", {"PATH=/bin"});
    EXPECT_FALSE(std::filesystem::exists(trace));
    EXPECT_EQ(files, (std::vector<std::filesystem::path>{place / "program", loader}));
    std::filesystem::remove_all(short_place);
}

// The loader executes an audit library even to list libraries, if the program or the environment names one.
TEST(Store, AnAuditLibraryIsNotExecuted) {
    const TemporaryDirectory place;
    const std::string trace = (place / "ran").string(), library = (place / "audit.so").string();
    std::ofstream(place / "audit.c") << "#include <fcntl.h>\nunsigned la_version(unsigned v) { return creat(\"" +
                                            trace + "\", 0600) < 0 ? 0 : v; }\n";
    std::ofstream(place / "main.c") << "int main(void) { return 0; }\n";
    const std::string compile =
        "cd " + (place / "").string() + " && cc -shared -fPIC -o audit.so audit.c && cc -o plain main.c";
    ASSERT_EQ(std::system(compile.c_str()), 0);
    const auto files_of = [&](const std::string& program, const std::vector<std::string>& environment) {
        const auto files = files_loaded_by(place / program, environment);
        EXPECT_FALSE(std::filesystem::exists(trace)) << program;
        return files.size();
    };
    const std::size_t all = files_of("plain", {"PATH=/bin"});
    EXPECT_GE(all, 3u);
    EXPECT_EQ(files_of("plain", {"LD_AUDIT=" + library}), all);
    for (const std::string option : {"--audit", "--depaudit"}) {
        ASSERT_EQ(std::system((compile + " && cc -o audited main.c -Wl," + option + "=" + library).c_str()), 0);
        EXPECT_EQ(files_of("audited", {"PATH=/bin"}), 2u) << "itself and its loader";
    }
}

TEST(Store, ReportsADamagedPage) {
    const TemporaryDirectory place;
    run_stored(many_graphs, place / "c");
    const auto size = std::filesystem::file_size(place / "c/campaign.db");
    for (std::uintmax_t at = 4096; at < size; at += 4096) {
        const std::filesystem::path copy = place / ("copy" + std::to_string(at / 4096));
        std::filesystem::create_directories(copy);
        std::filesystem::copy_file(place / "c/campaign.db", copy / "campaign.db");
        {
            std::fstream file(copy / "campaign.db", std::ios::in | std::ios::out | std::ios::binary);
            file.seekp(static_cast<std::streamoff>(at));
            file << std::string(4096, '\xa5');
        }
        // Either the damage is reported at once, or the data read is the data written: no damaged page changes a
        // result.
        std::string said = refusal([&] { run_stored(many_graphs, copy); });
        if (!said.empty()) continue;
        const std::string answer = text_of(answer_in(copy));
        EXPECT_EQ(answer, text_of(answer_in(place / "c"))) << "page " << at / 4096;
        std::filesystem::remove_all(copy);
    }
}

TEST(Store, NamesTheProcessThatHoldsTheLock) {
    const TemporaryDirectory place;
    const CampaignStore first(place / "c", CampaignStore::Open::write);
    EXPECT_THAT(refusal([&] { open_to_write(place / "c"); }),
                AllOf(HasSubstr("in use by process " + std::to_string(::getpid())), HasSubstr("test_store")));
    EXPECT_THAT(holder_of(place / "c"), HasSubstr(std::to_string(::getpid())));
    EXPECT_EQ(refusal([&] { CampaignStore(place / "c", CampaignStore::Open::read).progress(); }), "");
}

TEST(Store, ALockEndsWithItsProcess) {
    const TemporaryDirectory place;
    const pid_t child = ::fork();
    if (child == 0) {
        const CampaignStore held(place / "c", CampaignStore::Open::write);
        ::kill(::getpid(), SIGKILL);
    }
    ::waitpid(child, nullptr, 0);
    EXPECT_EQ(holder_of(place / "c"), "");
    EXPECT_EQ(refusal([&] { open_to_write(place / "c"); }), "");
}

// A forked child holds the lock, too, until it executes another program.
TEST(Store, ALockOutlivesItsProcessOnlyBriefly) {
    const TemporaryDirectory place;
    int release[2];
    ASSERT_EQ(::pipe(release), 0);
    const pid_t child = ::fork();
    if (child == 0) {
        const CampaignStore held(place / "c", CampaignStore::Open::write);
        if (::fork() == 0) {
            char byte = 0;
            ::_exit(::read(release[0], &byte, 1) == 1 ? 0 : 1);
        }
        ::kill(::getpid(), SIGKILL);
    }
    ::waitpid(child, nullptr, 0);
    EXPECT_NE(holder_of(place / "c"), "");
    const std::jthread later([&] {
        std::this_thread::sleep_for(std::chrono::milliseconds(100));
        EXPECT_EQ(::write(release[1], "x", 1), 1);
    });
    EXPECT_EQ(refusal([&] { open_to_write(place / "c"); }), "");
}

TEST(Store, NeedsADirectoryItCanWrite) {
    EXPECT_THAT(refusal([] { open_to_write("/proc/nothing/here"); }), HasSubstr("give another directory with -C"));
    if (::geteuid() == 0) return;  // root may write everywhere else
    const TemporaryDirectory place;
    open_to_write(place / "c");
    std::filesystem::permissions(place / "c", std::filesystem::perms::owner_read | std::filesystem::perms::owner_exec);
    EXPECT_THAT(refusal([&] { open_to_write(place / "c"); }), HasSubstr("give another with -C"));
    std::filesystem::permissions(place / "c", std::filesystem::perms::owner_all);
}

class SmallDisk {
public:
    SmallDisk(const std::filesystem::path& path, const std::string& options) : path_(path) {
        std::filesystem::create_directories(path);
        mounted_ = ::mount("tmpfs", path.c_str(), "tmpfs", 0, options.c_str()) == 0;
    }
    ~SmallDisk() {
        if (mounted_) ::umount(path_.c_str());
    }
    SmallDisk(const SmallDisk&) = delete;
    SmallDisk& operator=(const SmallDisk&) = delete;
    bool mounted() const { return mounted_; }
    void remount(unsigned long flags, const std::string& options) {
        ASSERT_EQ(::mount("tmpfs", path_.c_str(), "tmpfs", MS_REMOUNT | flags, options.c_str()), 0);
    }

private:
    std::filesystem::path path_;
    bool mounted_ = false;
};

TEST(Store, ReportsAFullDiskAndLosesNothing) {
    const TemporaryDirectory place;
    run_stored(many_graphs, place / "whole");
    SmallDisk disk(place / "disk", "size=320k");
    if (!disk.mounted()) GTEST_SKIP() << "may not mount";
    Subject slow = many_graphs;
    slow.time_of_execution = microseconds(100);
    std::string said = refusal([&] {
        const StoredRun run = run_stored(slow, place / "disk/c");
        if (run.failure) std::rethrow_exception(run.failure);
    });
    EXPECT_THAT(said, HasSubstr("make room on its disk"));
    disk.remount(0, "size=64m");
    run_stored(many_graphs, place / "disk/c");
    EXPECT_EQ(text_of(answer_in(place / "disk/c")), text_of(answer_in(place / "whole")));
}

TEST(Store, ReadsButDoesNotWriteAReadOnlyDirectory) {
    const TemporaryDirectory place;
    SmallDisk disk(place / "disk", "size=8m");
    if (!disk.mounted()) GTEST_SKIP() << "may not mount";
    run_stored(six_graphs, place / "disk/c");
    disk.remount(MS_RDONLY, "");
    EXPECT_EQ(answer_in(place / "disk/c").graphs, 6u);
    EXPECT_THAT(refusal([&] { open_to_write(place / "disk/c"); }), HasSubstr("give another with -C"));
}

TEST(Store, IsExportedAsOneFile) {
    const TemporaryDirectory place;
    run_stored(many_graphs, place / "c", {}, {.max_executions = 500});
    CampaignStore(place / "c", CampaignStore::Open::read).export_to(place / "file");
    import_campaign(place / "file", place / "d");
    run_stored(many_graphs, place / "c");
    run_stored(many_graphs, place / "d");
    EXPECT_EQ(text_of(answer_in(place / "d")), text_of(answer_in(place / "c")));
    EXPECT_THAT(refusal([&] { import_campaign(place / "file", place / "d"); }), HasSubstr("already"));
    std::ofstream(place / "file") << "nonsense, nonsense";
    EXPECT_NE(refusal([&] { import_campaign(place / "file", place / "e"); }), "");
}

TEST(Store, PruningKeepsTheBugs) {
    const TemporaryDirectory place;
    const Subject dining{"philosophers", philosophers(3, Forks::left_first)};
    run_stored(dining, place / "c");
    const Answer before = answer_in(place / "c");
    ASSERT_EQ(before.bugs.size(), 1u);
    CampaignStore(place / "c", CampaignStore::Open::write).prune();
    EXPECT_EQ(answer_in(place / "c").executions, 0u);
    EXPECT_EQ(answer_in(place / "c").bugs, before.bugs);
    run_stored(dining, place / "c");
    EXPECT_EQ(text_of(answer_in(place / "c")), text_of(before));
}

}  // namespace
}  // namespace raddle::testing
