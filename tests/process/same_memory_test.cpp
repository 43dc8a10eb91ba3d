// Two launches of a program have the same memory, word for word: where they are forked, and at the end, with all
// threads and their stacks. Any random number of the kernel, any process id and any address would show.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>
#include <cstdlib>
#include <fstream>
#include <thread>

#include "tests/process/process_memory.h"
#include "tests/process/programs.h"

namespace raddle::testing {
namespace {

using ::testing::IsEmpty;

// At its end the program takes a mutex and then does nothing for ever, so that its memory can be read.
const char* const in_c = R"(
    #include <pthread.h>
    #include <setjmp.h>
    #include <stdio.h>
    #include <stdlib.h>
    #include <string.h>
    #include <time.h>
    #include <unistd.h>
    static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER, last = PTHREAD_MUTEX_INITIALIZER;
    static jmp_buf jumps[3];
    static __thread char local[64];
    static long numbers[8];
    static void at_end(void) {}
    static void* body(void* p) {
        char text[100];
        long me = (long)p;
        sprintf(local, "thread %ld", me);
        strcpy(text, local);
        if (setjmp(jumps[me]) == 0) longjmp(jumps[me], 1);
        pthread_mutex_lock(&mutex);
        numbers[me] = (long)malloc(100) ^ (long)text ^ rand();
        printf("%s\n", text);
        pthread_mutex_unlock(&mutex);
        return 0;
    }
    int main(void) {
        pthread_t threads[2];
        struct timespec now;
        atexit(at_end);
        numbers[3] = time(0);
        clock_gettime(CLOCK_MONOTONIC, &now);
        numbers[4] = now.tv_nsec;
        if (setjmp(jumps[0]) == 0) longjmp(jumps[0], 1);
        for (long i = 0; i < 2; ++i) pthread_create(&threads[i], 0, body, (void*)(i + 1));
        for (int i = 0; i < 2; ++i) pthread_join(threads[i], 0);
        pthread_mutex_lock(&last);
        for (;;) {}
    }
)";

const char* const in_cxx = R"(
    #include <iostream>
    #include <map>
    #include <mutex>
    #include <random>
    #include <stdexcept>
    #include <string>
    #include <thread>
    #include <unordered_map>
    static std::mutex mutex, last;
    static std::unordered_map<const void*, std::string> names;
    static thread_local std::string local = "a text of a thread that is longer than others";
    static void note(const char* text) {
        char buffer[64];
        try {
            std::lock_guard<std::mutex> lock(mutex);
            names[text] = local + std::to_string(std::random_device()());
            buffer[names.size() % 64] = 1;
            throw std::runtime_error(buffer[0] == 1 ? "one" : "other");
        } catch (const std::exception& error) { std::cout << error.what() << std::endl; }
    }
    int main() {
        note("main");
        std::thread one(note, "one"), other(note, "other");
        one.join();
        other.join();
        last.lock();
        for (;;) {}
    }
)";

using Case = std::tuple<const char*, Threads, bool>;

std::string name_of_case(const Case& one) {
    const auto& [source, threads, memory] = one;
    return std::string(source == in_c ? "C" : "Cxx") + (threads == Threads::kernel ? "KernelThreads" : "Fibers") +
           (memory ? "WithMemory" : "Calls");
}

class SameMemory : public ::testing::TestWithParam<Case> {
protected:
    std::string path() const {
        const std::string source = std::get<0>(GetParam());
        const bool is_cxx = source.find("iostream") != std::string::npos;
        return program(source, is_cxx ? "-fstack-protector-all -std=c++20" : "-fstack-protector-all",
                       is_cxx ? "c++" : "cc");
    }
    ProcessOptions options() const {
        ProcessOptions options = running(path());
        options.threads = std::get<1>(GetParam());
        options.exec_timeout = std::chrono::milliseconds(500);
        if (std::get<2>(GetParam()))
            options.code = std::make_shared<InstrumentedCode>(path(), std::vector<std::string>{}, MemoryLevel::races);
        return options;
    }
};

struct Memories {
    std::vector<MemoryRegion> at_fork, at_end;
};

long processor_ticks_of(pid_t process) {
    std::ifstream file("/proc/" + std::to_string(process) + "/stat");
    std::string word;
    for (int i = 0; i < 14; ++i) file >> word;
    return std::strtol(word.c_str(), nullptr, 10);
}

// Until two looks are equal between which the process ran: it has arrived in its endless loop. Empty if it ended.
std::vector<MemoryRegion> memory_at_rest(pid_t process) {
    constexpr long long_enough = 3;
    for (;;) {
        std::vector<MemoryRegion> before = memory_of(process);
        if (before.empty()) return before;
        for (const long begin = processor_ticks_of(process); processor_ticks_of(process) - begin < long_enough;) {
            if (::kill(process, 0) != 0) return {};
            std::this_thread::yield();
        }
        if (differences(before, memory_of(process)).empty()) return before;
    }
}

Memories memories_of(ProcessOptions options) {
    Memories found;
    int joins = 0;
    const ProcessTarget* running = nullptr;
    options.on_event = [&](std::size_t, const Event& event, const Modules&) {
        const Operation operation = event.action.operation;
        if (operation == Operation::thread_join) ++joins;
        if (operation == Operation::mutex_lock && joins == 2 && found.at_end.empty())
            found.at_end = memory_at_rest(child_of_process(running->server()));
    };
    ProcessTarget target(options);
    running = &target;
    Plan plan;
    do {  // an execution that makes the visible set grow is void
        found.at_end.clear();
        joins = 0;
        if (options.code) plan.epoch = options.code->epoch();
    } while (target.run(plan).is_void);
    if (target.server() != 0) found.at_fork = memory_of(target.server());
    return found;
}

// The loader measures how long it takes (three words) and asks for the number of the processor it runs on (one word).
constexpr std::size_t most_words_of_loader = 4;

void expect_equal(const std::vector<MemoryRegion>& one, const std::vector<MemoryRegion>& other) {
    std::vector<std::string> found = differences(one, other);
    const auto loaders = std::erase_if(found, [](const std::string& text) { return text.starts_with("ld-linux"); });
    EXPECT_LE(loaders, most_words_of_loader);
    EXPECT_THAT(found, IsEmpty());
}

TEST_P(SameMemory, InTwoLaunches) {
    const ProcessOptions same = options();
    memories_of(same);  // the visible set grows
    const Memories one = memories_of(same), other = memories_of(same);
    ASSERT_FALSE(one.at_end.empty());
    expect_equal(one.at_end, other.at_end);
    expect_equal(one.at_fork, other.at_fork);
}

INSTANTIATE_TEST_SUITE_P(Programs, SameMemory,
                         ::testing::Combine(::testing::Values(in_c, in_cxx),
                                            ::testing::Values(Threads::fibers, Threads::kernel), ::testing::Bool()),
                         [](const auto& one) { return name_of_case(one.param); });

}  // namespace
}  // namespace raddle::testing
