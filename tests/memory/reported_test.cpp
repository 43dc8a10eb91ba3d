// Programs built with -fsanitize=thread, and our library that they call.
#include <dlfcn.h>
#include <sys/wait.h>

#include <cstdlib>

#include "supervisor/process/launch/doctor.h"
#include "tests/command_line.h"
#include "tests/memory/explore.h"

namespace raddle {
namespace {

const std::string library = std::string(RADDLE_BUILD_DIR) + "/lib/libtsan.so.2";

template <typename Function>
Function* function(const std::string& name) {
    static void* const handle = ::dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
    void* found = handle != nullptr ? ::dlsym(handle, name.c_str()) : nullptr;
    EXPECT_NE(found, nullptr) << name;
    return reinterpret_cast<Function*>(found);
}

// Runs the program without the shim: the library then works as for any other program linked with it.
template <typename Value>
void expect_real_atomics(const std::string& bits) {
    const auto named = [&](const char* operation) { return "__tsan_atomic" + bits + "_" + operation; };
    using Update = Value(volatile Value*, Value, int);
    using Exchange = int(volatile Value*, Value*, Value, int, int);
    // Uses a value whose upper half matters, too.
    const Value high = static_cast<Value>(static_cast<Value>(0x5a) << (sizeof(Value) * 8 - 8));
    const Value before = static_cast<Value>(high | 0x0c), operand = 0x0a;
    const std::vector<std::pair<const char*, Value>> rows = {
        {"fetch_add", static_cast<Value>(before + operand)},
        {"fetch_sub", static_cast<Value>(before - operand)},
        {"fetch_and", static_cast<Value>(before & operand)},
        {"fetch_or", static_cast<Value>(before | operand)},
        {"fetch_xor", static_cast<Value>(before ^ operand)},
        {"fetch_nand", static_cast<Value>(~(before & operand))},
        {"exchange", operand},
    };
    for (const auto& [name, after] : rows) {
        alignas(16) volatile Value value = before;
        EXPECT_TRUE(function<Update>(named(name))(&value, operand, 5) == before) << named(name);
        EXPECT_TRUE(value == after) << named(name);
    }
    alignas(16) volatile Value value = before;
    EXPECT_TRUE(function<Value(const volatile Value*, int)>(named("load"))(&value, 5) == before);
    function<void(volatile Value*, Value, int)>(named("store"))(&value, high, 5);
    EXPECT_TRUE(value == high);
    for (const char* name : {"compare_exchange_strong", "compare_exchange_weak"}) {
        value = before;
        Value expected = operand;
        EXPECT_EQ(function<Exchange>(named(name))(&value, &expected, high, 5, 5), 0) << named(name);
        EXPECT_TRUE(expected == before && value == before) << named(name);
        EXPECT_EQ(function<Exchange>(named(name))(&value, &expected, high, 5, 5), 1) << named(name);
        EXPECT_TRUE(value == high) << named(name);
    }
    using ExchangeValue = Value(volatile Value*, Value, Value, int, int);
    EXPECT_TRUE(function<ExchangeValue>(named("compare_exchange_val"))(&value, high, before, 5, 5) == high);
    EXPECT_TRUE(value == before);
}

TEST(Reported, AtomicsWorkWithoutTheShim) {
    expect_real_atomics<unsigned char>("8");
    expect_real_atomics<unsigned short>("16");
    expect_real_atomics<unsigned int>("32");
    expect_real_atomics<unsigned long>("64");
    __extension__ using Sixteen = unsigned __int128;
    expect_real_atomics<Sixteen>("128");
}

TEST(Reported, ProgramsRunNativelyWithTheLibrary) {
    for (const char* compiled : {"tsan-c-O0", "tsan-cpp-O2"}) {
        const std::string command =
            "LD_LIBRARY_PATH=" + std::string(RADDLE_BUILD_DIR) + "/lib " + lockless_program(compiled, "wsq") + " 5";
        EXPECT_EQ(std::system(command.c_str()), 0) << command;
    }
}

TEST(Reported, ProgramsAreRecognised) {
    EXPECT_TRUE(reports_accesses_of_itself(lockless_program("tsan-c-O2", "wsq")));
    EXPECT_FALSE(reports_accesses_of_itself(lockless_program("O2", "wsq")));
    EXPECT_TRUE(examine(lockless_program("tsan-c-O2", "wsq")).controllable);
}

TEST(Reported, AccessesAreExploredByDefaultAndTheUserIsInformed) {
    const std::string program = lockless_program("tsan-c-O2", "writers");
    const testing::Ended ran = testing::raddle({"run", "--no-store", "--json", "--bound", "none", "--", program, "3"});
    EXPECT_NE(ran.errors.find("-fsanitize=thread"), std::string::npos) << ran.errors;
    EXPECT_EQ(testing::json_of(ran)["level"], "races");
    EXPECT_EQ(testing::json_of(ran)["graphs"], 6);  // 3!
    EXPECT_EQ(testing::json_of(
                  testing::raddle({"run", "--no-store", "--json", "--memory", "sync", "--", program, "3"}))["graphs"],
              1);
    EXPECT_NE(testing::raddle({"doctor", "--", program, "3"}).out.find("libtsan.so.2"), std::string::npos);
}

// The preloaded library is not passed on to the program's children.
TEST(Reported, ProgramsKeepTheirEnvironment) {
    ProcessOptions options = with_memory({lockless_program("tsan-c-O2", "environment")}, MemoryLevel::races);
    options.environment = {{"LD_PRELOAD=libm.so.6", "OTHER=1"}};
    options.output = Output::capture;
    ProcessTarget target(options);
    Plan plan;
    plan.epoch = options.code->epoch();
    EXPECT_EQ(target.run(plan).verdict, Verdict::ok);
    EXPECT_EQ(target.output(), "libm.so.6\n");
}

// The shim performs the program's atomics, but reports none.
TEST(Reported, LevelSyncSeesNoAccesses) {
    const Explored explored =
        explore(with_memory({lockless_program("tsan-c-O2", "writers"), "4"}, MemoryLevel::sync), "bounded");
    EXPECT_EQ(explored.coverage.graphs, 1u);
    EXPECT_TRUE(explored.uncontrolled.empty());
}

TEST(Reported, TheVisibleSetCanBeReused) {
    const ProcessOptions first = with_memory({lockless_program("tsan-c-O2", "lost_update")}, MemoryLevel::races);
    EXPECT_GT(explore(first, "bounded").coverage.void_executions, 0u);
    const ProcessOptions again = with_memory({lockless_program("tsan-c-O2", "lost_update")}, MemoryLevel::races);
    again.code->begin_with(first.code->text());
    EXPECT_EQ(again.code->text(), first.code->text());
    const Explored explored = explore(again, "bounded");
    EXPECT_EQ(explored.coverage.void_executions, 0u);
    EXPECT_EQ(explored.coverage.graphs, 4u);
}

TEST(Reported, CopiesByLibcAreSeenAsInOtherBuilds) {
    for (const char* compiled : {"O0", "O2", "tsan-c-O0", "tsan-c-O2", "tsan-cpp-O2"}) {
        const Explored explored =
            explore(with_memory({lockless_program(compiled, "copied"), "3"}, MemoryLevel::races), "optimal");
        EXPECT_EQ(explored.coverage.graphs, 6u) << compiled;
        EXPECT_TRUE(explored.coverage.exhausted) << compiled;
    }
}

TEST(Reported, ProcessesAreRestored) {
    ProcessOptions process = with_memory({lockless_program("tsan-c-O2", "wsq"), "3"}, MemoryLevel::races);
    process.restore = Restore::whenever_possible;
    process.check_every = 50;
    const Explored explored = explore(process, "optimal");
    EXPECT_GE(explored.restarts.restored, 700u);
    EXPECT_EQ(explored.restarts.differed, 0u);
    EXPECT_EQ(explored.restarts.discarded, 0u) << explored.restarts.discarded_because;
}

}  // namespace
}  // namespace raddle
