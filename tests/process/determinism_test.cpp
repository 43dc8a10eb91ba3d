// Same program, same plan, same events: fifty times for every sample, with a random schedule and with the schedule of
// its bug. Programs that a plan does not determine are detected and reported.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "supervisor/campaign/campaign.h"
#include "tests/command_line.h"
#include "tests/process/programs.h"
#include "tests/sources.h"

namespace raddle::testing {
namespace {

using ::testing::HasSubstr;

// Not hang and race: each execution of those takes its time-out.
const std::vector<std::string> folders = {"assert", "crash", "deadlock", "exit", "livelock", "misuse", "ok"};

// Uses the options of the sample's line "// run:".
ProcessOptions running_sample(const std::string& name) {
    ProcessOptions options = running(sample(name));
    const std::vector<std::string> words = options_of_sample(name);
    if (words.empty() || words[0] != "--memory") return options;
    const MemoryLevel level = words[1] == "atomics" ? MemoryLevel::atomics : MemoryLevel::races;
    options.code = std::make_shared<InstrumentedCode>(options.argv[0], std::vector<std::string>{}, level);
    return options;
}

Schedule schedule_of_bug_in(const std::string& name, const ProcessOptions& options) {
    StrategyOptions search;
    search.visible_set = options.code;
    Campaign campaign([&] { return std::make_unique<ProcessTarget>(options); }, make_strategy("bounded", search),
                      {.max_executions = 2000});
    const CampaignResult result = campaign.run({});
    EXPECT_FALSE(result.bugs.empty()) << name;
    EXPECT_TRUE(result.disagreements.empty()) << name;
    return result.bugs.empty() ? Schedule{} : result.bugs[0].found.schedule;
}

void expect_the_same(ProcessTarget& target, const Plan& plan, const std::string& name, const VisibleSet* visible_set) {
    std::string first;
    std::uint64_t epoch;
    do {
        epoch = visible_set != nullptr ? visible_set->epoch() : 0;
        first = story_of(target.run(plan));
    } while (visible_set != nullptr && visible_set->epoch() != epoch);
    for (int i = 1; i < 50; ++i) ASSERT_EQ(story_of(target.run(plan)), first) << name << ", execution " << i + 1;
}

class Determinism : public ::testing::TestWithParam<std::string> {};

TEST_P(Determinism, FiftyExecutionsAreEqual) {
    const ProcessOptions options = running_sample(GetParam());
    ProcessTarget target(options);
    expect_the_same(target, random_plan(7), GetParam(), options.code.get());
    if (GetParam().starts_with("ok/")) return;
    Plan bug;
    bug.prefix = schedule_of_bug_in(GetParam(), options);
    expect_the_same(target, bug, GetParam(), options.code.get());
}

INSTANTIATE_TEST_SUITE_P(Samples, Determinism, ::testing::ValuesIn(samples_in(folders)),
                         [](const auto& one) { return test_name_of(one.param); });

// ---- programs that a plan does not determine

const char* const two_threads = R"(
    #define _GNU_SOURCE
    #include <fcntl.h>
    #include <pthread.h>
    #include <stdio.h>
    #include <string.h>
    #include <unistd.h>
    #include <x86intrin.h>
    static pthread_mutex_t locks[8];
    static unsigned draw(void);
    static void* body(void* p) {
        for (int i = 0; i < 4; ++i) {  // one draw may come out as before
            pthread_mutex_t* one = &locks[draw() & 7];
            pthread_mutex_lock(one); pthread_mutex_unlock(one);
        }
        return p;
    }
    int main(void) {
        pthread_t t[2];
        for (int i = 0; i < 2; ++i) pthread_create(&t[i], 0, body, 0);
        for (int i = 0; i < 2; ++i) pthread_join(t[i], 0);
        return 0;
    })";

void expect_diverged(const std::string& path, const std::vector<std::string>& arguments = {}) {
    std::vector<std::string> words = {"run", "--json", "--quiet", "--keep-going", "--max-execs", "3000", "--", path};
    words.insert(words.end(), arguments.begin(), arguments.end());
    const Ended ended = raddle(words);
    const nlohmann::json found = json_of(ended);
    EXPECT_EQ(ended.status, 4) << found.dump(2);
    EXPECT_EQ(found["verdict"], "diverged");
    EXPECT_EQ(found["exhausted"] == true && found["incomplete_because"].empty(), false) << found.dump(2);
    bool names_the_step = false;  // in words, or by the schedule up to that step
    for (const auto& one : found["disagreements"])
        names_the_step |=
            std::string(one["message"]).find(" at step ") != std::string::npos || !std::string(one["schedule"]).empty();
    EXPECT_TRUE(names_the_step) << found.dump(2);
}

TEST(Determinism, AReadOfTheCycleCounterIsDetected) {
    // Cycle counts change so fast that their mixed low bits are as good as random.
    expect_diverged(
        program(std::string(two_threads) +
                "static unsigned draw(void) { unsigned long c = __rdtsc(); c ^= c >> 7; c ^= c >> 3; return c; }"));
}

TEST(Determinism, AChangingFileIsDetected) {
    const std::string path = program(std::string(two_threads) + R"(
        static unsigned draw(void) {
            int f = open("/tmp/raddle-determinism-test", O_RDWR | O_CREAT | O_APPEND, 0600);
            long bytes = lseek(f, 0, SEEK_END);
            if (write(f, "x", 1) != 1) return 0;
            close(f);
            return bytes / 2;
        })");
    expect_diverged(path);
    ::unlink("/tmp/raddle-determinism-test");
}

TEST(Determinism, ADifferenceBetweenProcessesIsDetected) {
    // All executions of one process agree; only a new process differs.
    expect_diverged(program(std::string(two_threads) + R"(
        static unsigned long when;
        __attribute__((constructor)) static void early(void) { when = __rdtsc(); when ^= when >> 7; when ^= when >> 3; when = 1 + when % 64; }
        static unsigned draw(void) { for (unsigned long i = 0; i < when; ++i) { pthread_mutex_lock(&locks[0]); pthread_mutex_unlock(&locks[0]); } return 1; })"));
}

TEST(Determinism, AdviceNamesTheMemoryLevelThatHelps) {
    const std::string ruled_by_flag = program(R"(
        #include <pthread.h>
        static pthread_mutex_t lock;
        static volatile int begun;
        static void* body(void* p) {
            if (!begun) { pthread_mutex_init(&lock, 0); begun = 1; }
            pthread_mutex_lock(&lock); pthread_mutex_unlock(&lock);
            return p;
        }
        int main(void) {
            pthread_t t[2];
            for (int i = 0; i < 2; ++i) pthread_create(&t[i], 0, body, 0);
            for (int i = 0; i < 2; ++i) pthread_join(t[i], 0);
            return 0;
        })");
    const Ended diverged = raddle({"run", "-q", "--no-store", "--memory", "sync", "--", ruled_by_flag});
    EXPECT_EQ(diverged.status, 4);
    EXPECT_THAT(diverged.out, HasSubstr("\ntry         --memory races: "));
    const std::string spinning = program(R"(
        #include <pthread.h>
        #include <sched.h>
        static volatile int done;
        static void* body(void* p) { return p; }
        int main(void) { pthread_t t; pthread_create(&t, 0, body, 0); while (!done) sched_yield(); return 0; })");
    const Ended cut = raddle({"run", "-q", "--no-store", "--memory", "sync", "--max-steps", "1000", "--", spinning});
    EXPECT_EQ(cut.status, 3);
    EXPECT_THAT(cut.out, HasSubstr("\ntry         --memory races: a thread may spin"));
}

// ---- programs that a plan determines although the system reuses resources of other threads

void expect_explored(const std::string& path, const std::vector<std::string>& options, std::uint64_t graphs) {
    std::vector<std::string> words = {"run", "--json", "--quiet", "--no-store"};
    words.insert(words.end(), options.begin(), options.end());
    words.insert(words.end(), {"--", path});
    const nlohmann::json found = json_of(raddle(words));
    EXPECT_EQ(found["verdict"], "ok") << found.dump(2);
    EXPECT_EQ(found["exhausted"], true) << found.dump(2);
    EXPECT_EQ(found["graphs"], graphs) << found.dump(2);
}

TEST(Determinism, EachThreadHasItsOwnMappings) {
    const std::string path = program(R"(
        #define _GNU_SOURCE
        #include <pthread.h>
        #include <sys/mman.h>
        struct page { pthread_mutex_t lock; int count; };
        static void* body(void* p) {
            struct page* page = mmap(0, sizeof *page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
            if (page == MAP_FAILED) return page;
            pthread_mutex_init(&page->lock, 0);
            pthread_mutex_lock(&page->lock);
            page->count++;
            pthread_mutex_unlock(&page->lock);
            page->count++;
            munmap(page, sizeof *page);
            return p;
        }
        int main(void) {
            pthread_t t[3];
            for (int i = 0; i < 3; ++i) pthread_create(&t[i], 0, body, 0);
            for (int i = 0; i < 3; ++i) pthread_join(t[i], 0);
            return 0;
        })");
    expect_explored(path, {}, 1);
    expect_explored(path, {"--memory", "races"}, 1);
}

TEST(Determinism, KeysOfThreadsDoNotDependOnTheirOrder) {
    const std::string path = program(R"(
        #include <pthread.h>
        #include <stdlib.h>
        static pthread_key_t key[2];
        static void* body(void* p) {
            pthread_key_t first;
            if (pthread_key_create(&first, 0) != 0 || pthread_key_create(p, 0) != 0) abort();
            pthread_setspecific(first, p);
            pthread_key_delete(first);
            if (pthread_key_create(&first, 0) != 0 || pthread_getspecific(first) != 0) abort();
            return p;
        }
        int main(void) {
            pthread_t t[2];
            for (int i = 0; i < 2; ++i) pthread_create(&t[i], 0, body, &key[i]);
            for (int i = 0; i < 2; ++i) pthread_join(t[i], 0);
            return key[0] == key[1];
        })");
    expect_explored(path, {"--memory", "races"}, 1);
}

TEST(Determinism, AMutexOfALoadedLibraryHasOneIdentityFromItsFirstLock) {
    const std::string library = program(R"(
        #include <pthread.h>
        static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
        static void* body(void* p) { pthread_mutex_lock(&lock); pthread_mutex_unlock(&lock); return p; }
        void work(void) {
            pthread_t t[3];
            for (int i = 0; i < 3; ++i) pthread_create(&t[i], 0, body, 0);
            for (int i = 0; i < 3; ++i) pthread_join(t[i], 0);
        })",
                                        "-shared -fPIC");
    expect_explored(program("#include <dlfcn.h>\nint main(void) { void* p = dlopen(\"" + library +
                            "\", RTLD_NOW); if (!p) return 2; ((void (*)(void))dlsym(p, \"work\"))(); return 0; }\n"),
                    {}, 6);
}

}  // namespace
}  // namespace raddle::testing
