// Any contents of the shared memory are read without a failure, and the result is always in range.

#include <gtest/gtest.h>
#include <sys/mman.h>

#include <cstring>
#include <random>

#include "supervisor/process/channel/read_channel.h"
#include "supervisor/process/verdict.h"

namespace raddle {
namespace {

struct Shared {
    channel::Channel* channel;
    Shared() {
        channel = static_cast<channel::Channel*>(::mmap(nullptr, sizeof(channel::Channel), PROT_READ | PROT_WRITE,
                                                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0));
    }
    ~Shared() { ::munmap(channel, sizeof(channel::Channel)); }
};

void fill(void* place, std::size_t bytes, std::mt19937_64& random) {
    auto* at = static_cast<unsigned char*>(place);
    for (std::size_t i = 0; i < bytes; ++i) at[i] = static_cast<unsigned char>(random());
}

void expect_sound(const Observed& observed) {
    for (const Event& event : observed.events) {
        EXPECT_LT(static_cast<std::size_t>(event.action.operation), operation_count);
        EXPECT_STRNE(name_of(event.misuse), "?");
        EXPECT_LE(static_cast<int>(event.effect), 3);
        text_of(event);
    }
    for (const Pending& pending : observed.pending)
        EXPECT_LT(static_cast<std::size_t>(pending.action.operation), operation_count);
    const Execution execution = execution_of(observed, {});
    EXPECT_STRNE(name_of(execution.verdict), "?");
}

TEST(ReadChannel, SurvivesArbitraryBytes) {
    Shared shared;
    std::mt19937_64 random(1);
    for (int round = 0; round < 300; ++round) {
        fill(shared.channel, 4096 * 2, random);
        fill(shared.channel->threads, 4096, random);
        fill(shared.channel->events, 4096 * 4, random);
        // Sometimes with small counts, so that the reader gets further.
        if (round % 3 == 0) shared.channel->result.event_count = static_cast<std::uint32_t>(random() % 200);
        if (round % 3 == 1) shared.channel->result.thread_count = static_cast<std::uint32_t>(random() % 200);
        expect_sound(read_channel(*shared.channel));
    }
}

TEST(ReadChannel, SurvivesSoundRecordsWithOneWrongByte) {
    Shared shared;
    std::mt19937_64 random(2);
    for (int round = 0; round < 2000; ++round) {
        std::memset(static_cast<void*>(shared.channel), 0, 8192);
        for (int i = 0; i < 8; ++i) {
            shared.channel->events[i] = {};
            shared.channel->events[i].action.operation = Operation::mutex_lock;
            shared.channel->events[i].complete = 1;
        }
        shared.channel->result.event_count = 8;
        auto* bytes = reinterpret_cast<unsigned char*>(shared.channel->events);
        bytes[random() % (8 * sizeof(channel::Record))] = static_cast<unsigned char>(random());
        expect_sound(read_channel(*shared.channel));
    }
}

TEST(ReadChannel, LeavesOutIncompleteRecords) {
    Shared shared;
    shared.channel->result.event_count = 2;
    shared.channel->events[0].complete = 1;
    EXPECT_EQ(read_channel(*shared.channel).events.size(), 1u);
}

// Events that the target says it shares with the execution before are taken from there, if there are so many.
TEST(ReadChannel, TakesOverNoMoreEventsThanThereWere) {
    Shared shared;
    shared.channel->result.event_count = 8;
    for (int i = 0; i < 8; ++i) shared.channel->events[i].complete = 1;
    Beginning beginning;
    for (int i = 0; i < 5; ++i) beginning.events.emplace_back().code = 7;
    beginning.events.change(2).misuse = Misuse::join_self;
    beginning.first_misuse = 2;
    for (const std::uint32_t known : {0u, 2u, 5u}) {
        shared.channel->restarts.began_after = known;
        const Observed observed = read_channel(*shared.channel, beginning);
        EXPECT_FALSE(observed.damaged);
        ASSERT_EQ(observed.events.size(), 8u);
        EXPECT_EQ(observed.known_events, known);
        for (std::uint32_t i = 0; i < 8; ++i) EXPECT_EQ(observed.events[i].code, i < known ? 7u : 0u);
        EXPECT_EQ(observed.first_misuse, known > 2 ? 2u : no_event);
    }
    for (const std::uint32_t known : {6u, 9u, ~0u}) {
        shared.channel->restarts.began_after = known;
        EXPECT_TRUE(read_channel(*shared.channel, beginning).damaged);
    }
    shared.channel->restarts.began_after = 5;
    shared.channel->result.event_count = 4;
    EXPECT_TRUE(read_channel(*shared.channel, beginning).damaged);
}

}  // namespace
}  // namespace raddle
