#include "supervisor/trace/data_races.h"

#include <gmock/gmock.h>

#include "supervisor/model/extent.h"
#include "tests/trace/handmade_execution.h"

namespace raddle {
namespace {

using testing::action;
using testing::HandmadeExecution;
using testing::object;

constexpr ThreadId t1 = child_of(main_thread, 1);
constexpr ThreadId t2 = child_of(main_thread, 2);
constexpr ObjectId x = object(100), flag_word = object(101), lock = object(1);

// T1 and T2 with their actions; every access has the number of its thread as its location.
class Two : public HandmadeExecution {
public:
    Two() { create(main_thread), create(main_thread); }

    void read(ThreadId thread, const ObjectId& variable, std::uint64_t place) {
        access(thread, Operation::memory_read, variable, place);
    }
    void write(ThreadId thread, const ObjectId& variable, std::uint64_t place) {
        access(thread, Operation::memory_write, variable, place);
    }
    void access(ThreadId thread, Operation operation, const ObjectId& variable, std::uint64_t place,
                std::optional<Extent> extent = {}) {
        Action what = action(operation, variable, operation == Operation::memory_write ? 1 : 0);
        what.site = std::uint64_t{1} << 48 | place;
        if (extent) {
            what.flags = flag::contents_unknown;
            what.set_packed_extent(packed(*extent));
        }
        does(thread, what);
    }

    // The events of each race.
    std::vector<std::pair<std::size_t, std::size_t>> races() {
        recorded_ = execution();
        std::vector<std::pair<std::size_t, std::size_t>> found;
        for (const DataRace& race : analysis_.find(recorded_)) found.emplace_back(race.first, race.second);
        return found;
    }
    // The schedules that may show the first race.
    std::vector<std::string> schedules() {
        recorded_ = execution();
        const std::vector<DataRace> found = analysis_.find(recorded_);
        std::vector<std::string> texts;
        if (!found.empty())
            for (const Schedule& schedule : analysis_.back_to_back(found.front())) texts.push_back(text_of(schedule));
        return texts;
    }

private:
    DataRaces analysis_{{}};
    Execution recorded_;
};

using Pairs = std::vector<std::pair<std::size_t, std::size_t>>;
constexpr std::size_t begin = 4;  // both threads were created and have started

TEST(DataRaces, AreTwoUnorderedAccesses) {
    Two two;
    two.write(t1, x, 1);
    two.read(t2, x, 2);
    EXPECT_EQ(two.races(), (Pairs{{begin, begin + 1}}));
}

TEST(DataRaces, NeedAWriteAndTheSameVariable) {
    Two two;
    two.read(t1, x, 1);
    two.read(t2, x, 2);
    two.write(t1, object(200), 3);
    two.write(t2, object(201), 4);
    EXPECT_TRUE(two.races().empty());
}

TEST(DataRaces, NeedTheSameBytesOfTheVariable) {
    Two two;
    two.access(t1, Operation::memory_write, x, 1, Extent{0, 4});
    two.access(t2, Operation::memory_write, x, 2, Extent{4, 4});
    EXPECT_TRUE(two.races().empty());
    two.access(t2, Operation::memory_read, x, 3, Extent{3, 2});
    EXPECT_EQ(two.races(), (Pairs{{begin, begin + 2}}));
}

TEST(DataRaces, AreNamedByTheirLocationsInEitherOrder) {
    Two one, other;
    one.write(t1, x, 1), one.write(t2, x, 2);
    other.write(t2, x, 2), other.write(t1, x, 1);
    const DataRace race{begin, begin + 1};
    EXPECT_EQ(text_of(one.execution(), race),
              "nothing orders the accesses to one variable at module0+0x1 and module0+0x2");
    EXPECT_EQ(text_of(one.execution(), race), text_of(other.execution(), race));
}

TEST(DataRaces, AreReportedOncePerPairOfLocations) {
    Two two;
    for (int i = 0; i < 3; ++i) two.write(t1, x, 1), two.write(t2, x, 2);
    EXPECT_EQ(two.races().size(), 1u);
}

TEST(DataRaces, DoNotExistAcrossAHandoverOfALock) {
    Two two;
    for (const ThreadId thread : {t1, t2}) {
        two.does(thread, Operation::mutex_lock, lock);
        two.write(thread, x, 1);
        two.does(thread, Operation::mutex_unlock, lock);
    }
    EXPECT_TRUE(two.races().empty());
}

TEST(DataRaces, ExistWithTwoDifferentLocks) {
    Two two;
    for (const ThreadId thread : {t1, t2}) {
        two.does(thread, Operation::mutex_lock, thread == t1 ? lock : object(2));
        two.write(thread, x, 1);
        two.does(thread, Operation::mutex_unlock, thread == t1 ? lock : object(2));
    }
    EXPECT_EQ(two.races().size(), 1u);
}

TEST(DataRaces, AreNotPreventedByAFailedTryLock) {
    Two two;
    two.does(t1, Operation::mutex_lock, lock);
    two.write(t1, x, 1);
    two.does(t2, Operation::mutex_trylock, lock);
    two.write(t2, x, 2);
    EXPECT_EQ(two.races().size(), 1u);
}

TEST(DataRaces, ExistAmongReadersOfALock) {
    Two two;
    for (const ThreadId thread : {t1, t2}) {
        two.does(thread, Operation::rwlock_rdlock, lock);
        two.write(thread, x, 1);
        two.does(thread, Operation::rwlock_rdunlock, lock);
    }
    EXPECT_EQ(two.races().size(), 1u);
}

TEST(DataRaces, DoNotExistBetweenAReaderAndTheWriterAfterIt) {
    Two two;
    two.does(t1, Operation::rwlock_rdlock, lock);
    two.read(t1, x, 1);
    two.does(t1, Operation::rwlock_rdunlock, lock);
    two.does(t2, Operation::rwlock_wrlock, lock);
    two.write(t2, x, 2);
    EXPECT_TRUE(two.races().empty());
}

TEST(DataRaces, ExistOnlyAfterTheRelease) {
    Two two;
    two.write(t1, x, 1);
    two.does(t1, Operation::sem_post, lock);
    two.write(t1, object(200), 2);
    two.does(t2, Operation::sem_wait, lock);
    two.write(t2, x, 3);
    two.write(t2, object(200), 4);
    EXPECT_EQ(two.races(), (Pairs{{begin + 2, begin + 5}}));
}

TEST(DataRaces, AreNotOrderedByPlainAccesses) {
    Two two;
    two.write(t1, x, 1);
    two.write(t1, flag_word, 2);
    two.read(t2, flag_word, 3);
    two.read(t2, x, 4);
    EXPECT_EQ(two.races(), (Pairs{{begin + 1, begin + 2}, {begin, begin + 3}}));
}

TEST(DataRaces, AreOrderedByAVariableThatIsAtomicSomewhere) {
    Two two;
    two.write(t1, x, 1);
    two.write(t1, flag_word, 2);
    two.does(t2, Operation::memory_update, flag_word, 0);
    two.read(t2, x, 4);
    EXPECT_TRUE(two.races().empty());
}

TEST(DataRaces, AreNotOrderedByAnAtomicVariableReadTooEarly) {
    Two two;
    two.write(t1, x, 1);
    two.does(t2, Operation::memory_update, flag_word, 0);
    two.does(t1, Operation::memory_update, flag_word, 0);
    two.read(t2, x, 4);
    EXPECT_EQ(two.races().size(), 1u);
}

TEST(DataRaces, ExistIfAnotherStoreHidesTheRelease) {
    Two two;
    const ThreadId t3 = two.create(main_thread);
    two.does(main_thread, Operation::memory_update, flag_word, 0);  // atomic
    two.write(t1, x, 1);
    two.write(t1, flag_word, 2);
    two.write(t3, flag_word, 3);
    two.read(t2, flag_word, 4);
    two.read(t2, x, 5);
    EXPECT_EQ(two.races().size(), 1u);
}

TEST(DataRaces, CanBeShownBackToBackWithoutTheEffectsOfTheFirstAccess) {
    Two two;
    two.write(t1, x, 1);
    two.does(t1, Operation::mutex_lock, lock);
    two.read(t2, object(200), 2);
    two.write(t2, x, 3);
    // T1's lock depends on its write; T2's earlier actions do not.
    EXPECT_EQ(two.schedules().front(), "T0 T1 T0 T2*2 T1 T2");
}

TEST(DataRaces, AreSeenBackToBackAcrossTheStartOfAThread) {
    HandmadeExecution r;
    r.create(main_thread);
    r.does(main_thread, action(Operation::thread_create, thread_object(t2)));
    const auto access = [](Operation operation, std::uint64_t place) {
        Action what = action(operation, x);
        what.site = std::uint64_t{1} << 48 | place;
        return what;
    };
    r.does(t1, access(Operation::memory_write, 1));
    r.goes_on(t2);
    r.does(t2, access(Operation::memory_read, 2));
    EXPECT_EQ(races_back_to_back(r.execution()), (std::vector<DataRace>{{3, 5}}));
}

TEST(DataRaces, AreTheVerdictOfExecutionsThatShowTheWantedRace) {
    Two two;
    two.write(t1, x, 1);
    two.read(t2, x, 2);
    Execution execution = two.execution();
    set_race_verdict(execution, [](const std::string&) { return false; });
    EXPECT_EQ(execution.verdict, Verdict::ok);
    set_race_verdict(execution, [](const std::string& text) { return text.ends_with("module0+0x1 and module0+0x2"); });
    EXPECT_EQ(execution.verdict, Verdict::race);
    execution.verdict = Verdict::diverged;
    set_race_verdict(execution, [](const std::string&) { return true; });
    EXPECT_EQ(execution.verdict, Verdict::diverged);
}

}  // namespace
}  // namespace raddle
