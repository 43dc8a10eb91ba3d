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

}  // namespace
}  // namespace raddle
