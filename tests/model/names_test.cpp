// Names of threads and objects: the same in every execution, and unique.
#include <functional>
#include <unordered_map>
#include <vector>

#include "tests/model/script.h"

namespace raddle::testing {
namespace {

using Path = std::vector<std::uint32_t>;

ThreadId named(const Path& path) {
    ThreadId id = main_thread;
    for (const std::uint32_t number : path) id = child_of(id, number);
    return id;
}

bool hashed(ThreadId id) { return (id.code & hashed_thread_mark) != 0; }

TEST(ThreadName, ReadsAsItsPathInBaseEight) {
    EXPECT_EQ(main_thread.code, 0u);
    EXPECT_EQ(named({3}).code, 0x3u);
    EXPECT_EQ(named({3, 1}).code, 0x31u);
    EXPECT_EQ(named({8}).code, 0x90u) << "10 in base 8: the first digit says that another follows";
    EXPECT_EQ(named({1, 0}).code, 0x10u);
    EXPECT_EQ(named({64, 7}).code, 0x9807u);
}

// All paths with these numbers, to a depth.
void each_path(const Path& numbers, std::size_t depth, Path& path, const std::function<void(const Path&)>& tell) {
    tell(path);
    if (path.size() == depth) return;
    for (const std::uint32_t number : numbers) {
        path.push_back(number);
        each_path(numbers, depth, path, tell);
        path.pop_back();
    }
}

TEST(ThreadName, IsTheThreadsAlone) {
    std::unordered_map<std::uint64_t, Path> taken;
    Path path;
    // 9 numbers, depth 5: 66,430 paths
    each_path({1, 2, 7, 8, 9, 63, 64, 512, 4097}, 5, path, [&](const Path& each) {
        const auto [place, fresh] = taken.emplace(named(each).code, each);
        EXPECT_TRUE(fresh) << "two paths of lengths " << each.size() << " and " << place->second.size();
    });
    EXPECT_EQ(taken.size(), 66430u);
    for (std::uint32_t number = 1; number <= 100000; ++number) taken.emplace(child_of(named({5}), number).code, Path{});
    EXPECT_GE(taken.size(), 166000u);
}

TEST(ThreadName, ManyChildrenOfOneThread) {
    std::unordered_map<std::uint64_t, std::uint32_t> taken;
    for (const ThreadId parent : {main_thread, named({1, 2, 3, 4, 5, 6, 7, 1, 2, 3, 4, 5, 6})})
        for (std::uint32_t number = 1; number <= 100000; ++number)
            EXPECT_TRUE(taken.emplace(child_of(parent, number).code, number).second) << number;
}

TEST(ThreadName, LongPathsAreHashedAndMarked) {
    const Path longest(13, 7);  // 13 digits of 4 bits: 52 bits
    EXPECT_FALSE(hashed(named(longest)));
    EXPECT_EQ(named(longest).code, 0x7777777777777u);
    Path longer = longest;
    longer.push_back(1);
    EXPECT_TRUE(hashed(named(longer)));
    EXPECT_TRUE(hashed(child_of(named(longer), 1))) << "and so are all below";
    EXPECT_TRUE(hashed(child_of(named(Path(12, 1)), 8))) << "two digits where one is left";
    EXPECT_FALSE(hashed(child_of(main_thread, UINT32_MAX))) << "11 digits";
}

TEST(ThreadName, FitsWhereObjectsNameIt) {
    for (const Path& path : {Path{}, Path{1}, Path(13, 7), Path(40, 3)}) {
        EXPECT_EQ(thread_of(thread_object(named(path))), named(path));
        EXPECT_EQ(thread_of(cancel_object(named(path))), named(path));
        EXPECT_EQ(thread_object(named(path)).space(), Space::thread);
    }
}

TEST(ObjectName, KeepsSpaceOwnerAndOffsetApart) {
    const ObjectId id = object_in(Space::heap, 0x31, 0x1234);
    EXPECT_EQ(id.space(), Space::heap);
    EXPECT_EQ(id.owner(), 0x31u);
    EXPECT_EQ(id.offset, 0x1234u);
    EXPECT_NE(id, object_in(Space::stack, 0x31, 0x1234));
    EXPECT_EQ(process_object(), ObjectId{}) << "an action that names no object names the process";
}

TEST(ObjectTable, FindsWhatWasAddedHoweverMuchItGrew) {
    Table<ObjectId, ObjectRecord> table(plain_memory);
    EXPECT_EQ(table.find(thing(1).id), no_slot);
    for (std::uint32_t n = 0; n < 5000; ++n) EXPECT_EQ(table.find_or_add(thing(n).id), n);
    for (std::uint32_t n = 0; n < 5000; ++n) EXPECT_EQ(table.find(thing(n).id), n);
    EXPECT_EQ(table.find(thing(5000).id), no_slot);
    table.clear();
    EXPECT_EQ(table.size(), 0u);
    EXPECT_EQ(table.find(thing(1).id), no_slot);
    EXPECT_EQ(table.find_or_add(thing(7).id), 0u);
}

}  // namespace
}  // namespace raddle::testing
