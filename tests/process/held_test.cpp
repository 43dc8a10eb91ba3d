// An execution that stands still at a step: its memory can be read and compared.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "supervisor/base/text.h"
#include "supervisor/process/memory_snapshot.h"
#include "tests/process/programs.h"

namespace raddle::testing {
namespace {

const char* const counting = R"(
    #include <pthread.h>
    #include <sys/uio.h>
    #include <unistd.h>
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    static volatile unsigned long counter = 7;
    static void* body(void* p) {
        for (int i = 0; i < 4; ++i) { pthread_mutex_lock(&lock); ++counter; pthread_mutex_unlock(&lock); }
        return p;
    }
    int main(void) {
        pthread_t t;
        pthread_create(&t, 0, body, 0);
        pthread_join(t, 0);
        return 0;
    })";

Plan until(const std::string& schedule) {
    Plan plan = following(schedule);
    plan.tail.kind = TailKind::stop;
    return plan;
}

struct Held {
    MemorySnapshot memory;
    MemorySnapshot::Ranges dead;
    int times = 0;
};

Held held(ProcessTarget& target, const std::string& schedule) {
    Held result;
    target.run_held(until(schedule), [&](int process, const std::vector<std::uint64_t>& stacks) {
        ++result.times;
        result.memory = MemorySnapshot::of(process);
        for (const std::uint64_t lowest : stacks) result.dead.emplace_back(result.memory.mapping_begin(lowest), lowest);
    });
    return result;
}

class HeldExecution : public ::testing::TestWithParam<Threads> {
protected:
    ProcessOptions options() const {
        ProcessOptions options = running(program(counting));
        options.threads = GetParam();
        options.note_calls = true;  // tells where the frames of the program end
        return options;
    }
};

TEST_P(HeldExecution, HasTheSameMemoryAtTheSameStep) {
    ProcessTarget target(options());
    const Held one = held(target, "T0 T1*4"), other = held(target, "T0 T1*4");
    ASSERT_EQ(one.times, 1);
    ASSERT_EQ(other.times, 1);
    EXPECT_TRUE(one.memory.was_read());
    std::string words;
    for (const MemorySnapshot::Word& word : one.memory.difference(other.memory, one.dead, 8).words)
        words += word.mapping + " " + hexadecimal(word.address) + ": " + hexadecimal(word.first) + ", " +
                 hexadecimal(word.then) + "\n";
    EXPECT_EQ(words, "");
}

TEST_P(HeldExecution, ShowsTheWordThatAStepChanged) {
    ProcessTarget target(options());
    // After the lock and before the unlock of the second round.
    const Held one = held(target, "T0 T1*2"), other = held(target, "T0 T1*4");
    ASSERT_EQ(one.times + other.times, 2);
    const MemorySnapshot::Difference difference = one.memory.difference(other.memory, one.dead, 100);
    EXPECT_TRUE(std::any_of(difference.words.begin(), difference.words.end(), [](const MemorySnapshot::Word& word) {
        return word.first == 8 && word.then == 9 && !word.mapping.empty();
    }));
}

TEST_P(HeldExecution, GoesOnAfterwardsAndTheTargetServesOtherPlans) {
    ProcessTarget target(options());
    held(target, "T0 T1*3");
    EXPECT_EQ(target.run(run_on()).verdict, Verdict::ok);
    EXPECT_EQ(target.run_held(run_on(), [](int, const auto&) { FAIL() << "the plan does not stop"; }).verdict,
              Verdict::ok);
}

TEST(Calls, AreNotedWithTheirThreadAndPlace) {
    ProcessOptions options = running(program(R"(
        #include <fcntl.h>
        #include <pthread.h>
        #include <unistd.h>
        static void* body(void* p) { char c; int f = open("/dev/null", O_RDONLY); if (read(f, &c, 1) < 0) return 0; close(f); return p; }
        int main(void) { pthread_t t; pthread_create(&t, 0, body, 0); pthread_join(t, 0); return 0; })"));
    options.note_calls = true;
    ProcessTarget target(options);
    target.run(run_on());
    std::vector<std::string> of_thread;
    for (const Call& call : target.calls())
        if (call.thread != main_thread) {
            of_thread.push_back(call.function);
            EXPECT_NE(call.site, 0u);
        }
    EXPECT_THAT(of_thread, ::testing::IsSupersetOf({"open", "read", "close"}));
}

INSTANTIATE_TEST_SUITE_P(Kinds, HeldExecution, ::testing::Values(Threads::fibers, Threads::kernel),
                         [](const auto& one) { return one.param == Threads::kernel ? "KernelThreads" : "Fibers"; });

}  // namespace
}  // namespace raddle::testing
