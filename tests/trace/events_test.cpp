// Events share their blocks with their copies, and nobody notices.
#include "supervisor/trace/events.h"

#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace raddle {
namespace {

Event numbered(std::uint64_t number) {
    Event event;
    event.code = number;
    return event;
}

Events so_many(std::size_t count) {
    Events events;
    for (std::size_t i = 0; i < count; ++i) events.push_back(numbered(i));
    return events;
}

std::vector<std::uint64_t> numbers_of(const Events& events) {
    std::vector<std::uint64_t> numbers;
    for (const Event& event : events) numbers.push_back(event.code);
    return numbers;
}

TEST(Events, ACopyKeepsItsOwnWhenTheOtherChanges) {
    Events one = so_many(1000);
    const Events other = one;
    one.change(3).code = 7;
    one.change(999).code = 8;
    one.push_back(numbered(1000));
    EXPECT_EQ(numbers_of(other), numbers_of(so_many(1000)));
    EXPECT_EQ(one[3].code, 7u);
    EXPECT_EQ(one[999].code, 8u);
    EXPECT_EQ(one.size(), 1001u);
}

TEST(Events, TheFirstOfOthersGoOnOnTheirOwn) {
    const Events others = so_many(1000);
    for (const std::size_t count : {0, 1, 31, 32, 33, 500, 1000}) {
        Events events = Events::first_of(others, count);
        for (std::size_t i = count; i < 1000; ++i) events.push_back(numbered(i + 5000));
        EXPECT_EQ(numbers_of(others), numbers_of(so_many(1000)));
        EXPECT_EQ(events.size(), 1000u);
        for (std::size_t i = 0; i < 1000; ++i) ASSERT_EQ(events[i].code, i < count ? i : i + 5000);
        EXPECT_LE(events.shared_with(others), count);
        EXPECT_GT(events.shared_with(others) + 32, count);
    }
}

TEST(Events, WhatIsSharedTakesNoMemoryTwice) {
    const Events others = so_many(100'000);
    Events events = Events::first_of(others, 99'000);
    for (int i = 0; i < 1000; ++i) events.push_back(numbered(0));
    const std::size_t shared = events.shared_with(others);
    EXPECT_GE(shared, 98'900u);
    EXPECT_LE(others.bytes() / others.size(), 150u);
}

TEST(Events, SharedOnesAreEqualWhateverHappensToThem) {
    std::mt19937_64 random(1);
    std::vector<Events> all{so_many(100)};
    std::vector<std::vector<std::uint64_t>> expected{numbers_of(all[0])};
    std::uint64_t fresh = 1000;
    for (int i = 0; i < 20'000; ++i) {
        const std::size_t at = random() % all.size();
        switch (random() % 7) {
            case 0:
                if (all.size() > 20) {
                    all.erase(all.begin() + static_cast<std::ptrdiff_t>(at));
                    expected.erase(expected.begin() + static_cast<std::ptrdiff_t>(at));
                }
                break;
            case 1:
            case 2: {
                const std::size_t count = random() % (all[at].size() + 1);
                all.push_back(Events::first_of(all[at], count));
                expected.emplace_back(expected[at].begin(), expected[at].begin() + static_cast<std::ptrdiff_t>(count));
                break;
            }
            case 3:
                if (all[at].empty()) break;
                expected[at][i % expected[at].size()] = ++fresh;
                all[at].change(i % all[at].size()).code = fresh;
                break;
            case 4: {
                const std::size_t size = random() % 150;
                all[at].resize(size);
                expected[at].resize(size);
                break;
            }
            case 5: all[at].expect(random() % 100); break;
            default: expected[at].push_back(++fresh); all[at].push_back(numbered(fresh));
        }
        if (all.size() > 40) all.resize(20), expected.resize(20);
        const std::size_t one = random() % all.size(), other = random() % all.size();
        ASSERT_EQ(numbers_of(all[one]), expected[one]) << "step " << i;
        const std::size_t shared = all[one].shared_with(all[other]);
        ASSERT_TRUE(std::equal(expected[one].begin(), expected[one].begin() + static_cast<std::ptrdiff_t>(shared),
                               expected[other].begin()))
            << "step " << i;
    }
}

TEST(Events, WhatWasMovedIsEmpty) {
    Events one = so_many(100);
    const Events other = std::move(one);
    EXPECT_EQ(one.size(), 0u);  // NOLINT(bugprone-use-after-move)
    one.push_back(numbered(1));
    EXPECT_EQ(one.size(), 1u);
    EXPECT_EQ(numbers_of(other), numbers_of(so_many(100)));
}

}  // namespace
}  // namespace raddle
