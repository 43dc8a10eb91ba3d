// Stacks recorded in a target and unwound in the supervisor, with the names in them.

#include <elfutils/libdwfl.h>
#include <gtest/gtest.h>

#include <elf.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <random>
#include <set>

#include "supervisor/binary/debuginfo/symbols.h"
#include "supervisor/process/collect_evidence.h"
#include "tests/patience.h"
#include "tests/process/programs.h"

namespace raddle::testing {
namespace {

namespace fs = std::filesystem;

// "inner < outer", only functions of the program.
std::string functions_of(const Stack& stack) {
    std::string text;
    for (const Frame& frame : stack)
        if (!frame.function.empty()) text += (text.empty() ? "" : " < ") + frame.function;
    return text;
}

std::string place_of(const Frame& frame) {
    return fs::path(frame.file).filename().string() + ":" + std::to_string(frame.line);
}

TEST(Stacks, EveryActionHasTheStackItWasAnnouncedWith) {
    const Evidence evidence = collect_evidence(running(sample("deadlock/abba")), following("T0*2 T1*2 T2*2"));
    ASSERT_EQ(evidence.execution.verdict, Verdict::deadlock);
    ASSERT_EQ(evidence.stacks.size(), evidence.execution.events.size());
    EXPECT_EQ(functions_of(evidence.stacks[0]), "main");
    EXPECT_EQ(place_of(evidence.stacks[0][0]), "abba.c:33");
    EXPECT_EQ(functions_of(evidence.stacks[3]), "a_to_b");
    EXPECT_EQ(place_of(evidence.stacks[3][0]), "abba.c:11");
    EXPECT_EQ(place_of(evidence.pending.at(child_of(main_thread, 1)).at(0)), "abba.c:12");
    EXPECT_EQ(place_of(evidence.pending.at(child_of(main_thread, 2)).at(0)), "abba.c:23");
}

TEST(Stacks, StaticObjectsHaveTheNamesOfTheirVariables) {
    const Evidence evidence = collect_evidence(running(sample("deadlock/abba")), following("T0*2 T1*2 T2*2"));
    EXPECT_EQ(evidence.origins.at(evidence.execution.events[3].action.object).symbol, "a");
    EXPECT_EQ(evidence.origins.at(evidence.execution.events[5].action.object).symbol, "b");
}

TEST(Stacks, HeapBlocksKnowTheStacksOfAllocationAndFree) {
    const Evidence evidence =
        collect_evidence(running(sample("misuse/freed_mutex")), following("T0*3 T1*3 T2*7 T1*3 T0*3"));
    ASSERT_EQ(evidence.execution.verdict, Verdict::misuse);
    int blocks = 0;
    for (const auto& [object, origin] : evidence.origins) {
        if (!origin.in_block) continue;
        ++blocks;
        EXPECT_EQ(origin.offset, 0u);
        EXPECT_EQ(origin.block.allocated_by, main_thread);
        EXPECT_EQ(place_of(origin.block.allocated_at.at(0)), "freed_mutex.c:42");
        EXPECT_TRUE(origin.block.freed);
        EXPECT_EQ(functions_of(origin.block.freed_at), "drop");
    }
    EXPECT_EQ(blocks, 1);
}

const char* const calls = R"(
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static inline __attribute__((always_inline)) void inlined(void) { pthread_mutex_lock(&m); pthread_mutex_unlock(&m); }
__attribute__((noinline)) void inner(int n) { inlined(); __asm__ volatile("" : : "r"(n) : "memory"); }
__attribute__((noinline)) void outer(int n) { inner(n + 1); __asm__ volatile("" : : "r"(n) : "memory"); }
static void* body(void* p) { outer(3); return p; }
int main(void) { pthread_t t; pthread_create(&t, 0, body, 0); pthread_join(t, 0); return 0; }
)";

const Stack& stack_of_first_lock(const Evidence& evidence) {
    static const Stack none;
    for (std::size_t i = 0; i < evidence.stacks.size(); ++i)
        if (evidence.execution.events[i].action.operation == Operation::mutex_lock) return evidence.stacks[i];
    return none;
}

TEST(Stacks, InlinedFunctionsHaveTheirOwnFrames) {
    const Evidence evidence = collect_evidence(running(program(calls, "-O2")), run_on());
    const Stack& stack = stack_of_first_lock(evidence);
    EXPECT_EQ(functions_of(stack), "inlined < inner < outer < body");
    EXPECT_TRUE(stack.at(0).inlined);
    EXPECT_FALSE(stack.at(1).inlined);
    EXPECT_EQ(stack.at(0).line, 4u);
    EXPECT_EQ(stack.at(1).line, 5u);
}

TEST(Stacks, StrippedProgramsHaveModuleAndOffset) {
    const Evidence evidence = collect_evidence(running(program(calls, "-O2 -g0 -s")), run_on());
    const Stack& stack = stack_of_first_lock(evidence);
    ASSERT_GE(stack.size(), 3u);
    EXPECT_EQ(stack[0].file, "");
    EXPECT_NE(stack[0].offset, 0u);
    EXPECT_EQ(stack[0].module, fs::path(program(calls, "-O2 -g0 -s")).filename().string());
}

TEST(Stacks, WithoutDebugInformationTheSymbolTableNamesFunctions) {
    const Evidence evidence = collect_evidence(running(program(calls, "-O2 -g0")), run_on());
    EXPECT_EQ(functions_of(stack_of_first_lock(evidence)), "inner < outer < body");
}

TEST(Stacks, CxxFunctionsAreDemangled) {
    EXPECT_EQ(demangled("_ZNKSt6vectorIiE4sizeEv"), "std::vector<int>::size() const");
    EXPECT_EQ(demangled("main"), "main");
    EXPECT_EQ(demangled("a"), "a");  // not "signed char"
}

Evidence crashed(const std::string& code) {
    return collect_evidence(
        running(program(
            "#include <pthread.h>\n#include <stdlib.h>\nstatic const int fixed = 1;\nstruct n { struct n* next; };\n"
            "static int fall(int n) { volatile char room[4000]; room[n % 4000] = 1; return fall(n + 1) + room[1]; }\n"
            "static void* body(void* p) { " +
            code +
            "; return p; }\n"
            "int main(void) { pthread_t t; pthread_create(&t, 0, body, 0); pthread_join(t, 0); return 0; }\n")),
        run_on());
}

TEST(Stacks, ACrashNamesTheAccessedMemory) {
    const std::pair<const char*, const char*> cases[] = {
        {"*(volatile int*)0 = 1", "null"},
        {"*(volatile int*)24 = 1", "near null (24 bytes above)"},
        {"*(volatile int*)0x123456789000 = 1", "not mapped"},
        {"struct n* x = malloc(64); free(x); x = *(struct n* volatile*)&x->next; *(struct n* volatile*)&x->next = 0",
         "an address that was read from freed memory (0xdbdbdbdb...)"},
        {"fall(0)", "the guard below its stack, which is full"},
    };
    for (const auto& [code, what] : cases) {
        const Evidence evidence = crashed(code);
        EXPECT_EQ(evidence.execution.verdict, Verdict::crash) << code;
        EXPECT_EQ(evidence.fault.address, what) << code;
        EXPECT_NE(functions_of(evidence.fault.stack).find(code[0] == 'f' ? "fall" : "body"), std::string::npos) << code;
    }
    EXPECT_EQ(crashed("*(volatile int*)&fixed = 2").fault.address.find("read-only memory of "), 0u);
}

TEST(Stacks, AnEndlessLoopHasItsStack) {
    ProcessOptions options = running(program(
        "#include <pthread.h>\nvolatile int go = 1;\n__attribute__((noinline)) void spin(void) { while (go) {} }\n"
        "static void* body(void* p) { spin(); return p; }\n"
        "int main(void) { pthread_t t; pthread_create(&t, 0, body, 0); pthread_join(t, 0); return 0; }\n"));
    options.exec_timeout = short_watchdog;
    const Evidence evidence = collect_evidence(options, run_on());
    EXPECT_EQ(evidence.execution.verdict, Verdict::uncontrolled);
    ASSERT_TRUE(evidence.fault.happened);
    EXPECT_EQ(functions_of(evidence.fault.stack), "spin < body");
}

// The known names of objects, with "+offset" for objects inside another.
std::set<std::string> names_in(const Evidence& evidence) {
    std::set<std::string> names;
    for (const auto& [object, origin] : evidence.origins)
        if (!origin.symbol.empty())
            names.insert(origin.symbol + (origin.offset == 0 ? "" : "+" + std::to_string(origin.offset)));
    return names;
}

const char* const nested =
    "#include <pthread.h>\n#include <semaphore.h>\n"
    "typedef struct { char n; struct { pthread_mutex_t m; } part[2][3]; } whole;\nstatic whole all;\n"
    "static void lock(pthread_mutex_t* m) { pthread_mutex_lock(m); pthread_mutex_unlock(m); }\n"
    "static void* body(void* p) { lock(p); return p; }\n"
    "int main(void) {\n  struct { int count; pthread_mutex_t m[2]; sem_t s; } mine = {0};\n  static pthread_mutex_t once = PTHREAD_MUTEX_INITIALIZER;\n"
    "  pthread_t t;\n  sem_init(&mine.s, 0, 1);\n  pthread_create(&t, 0, body, &mine.m[1]);\n"
    "  lock(&all.part[1][2].m);\n  lock(&once);\n  sem_wait(&mine.s);\n  pthread_join(t, 0);\n  return 0;\n}\n";

TEST(Names, CoverMembersOfStaticAndStackVariables) {
    for (const char* flags : {"-O0 -g", "-O2 -g", "-O2 -g -gdwarf-4"}) {
        const Evidence evidence = collect_evidence(running(program(nested, flags)), run_on());
        EXPECT_EQ(evidence.execution.verdict, Verdict::ok);
        const std::set<std::string> names = names_in(evidence);
        for (const char* expected : {"all.part[1][2].m", "mine.m[1]", "mine.s"})
            EXPECT_TRUE(names.contains(expected)) << expected << " " << flags;
        EXPECT_TRUE(std::any_of(names.begin(), names.end(), [](const std::string& name) {
            return name.starts_with("once");
        })) << flags;
    }
}

// DWARF 5 gives the address of a static variable as an index into a table.
TEST(Names, AreKnownInProgramsBuiltByClang) {
    if (std::system("command -v clang >/dev/null") != 0) GTEST_SKIP() << "there is no clang";
    for (const char* flags : {"-O0 -g", "-O2 -g", "-O2 -g -gdwarf-4"}) {
        const std::set<std::string> names =
            names_in(collect_evidence(running(program(nested, flags, "clang")), run_on()));
        EXPECT_TRUE(names.contains("all.part[1][2].m")) << flags;
    }
}

TEST(Names, EndWithTheDebugInformation) {
    const std::set<std::string> names = names_in(collect_evidence(running(program(nested, "-O1 -g0")), run_on()));
    EXPECT_TRUE(
        std::any_of(names.begin(), names.end(), [](const std::string& name) { return name.starts_with("all+"); }));
    EXPECT_FALSE(
        std::any_of(names.begin(), names.end(), [](const std::string& name) { return name.starts_with("mine"); }));
}

TEST(Names, StopAtMembersOfLibraryClasses) {
    const std::string path = program(
        "#include <mutex>\n#include <thread>\nnamespace shop { struct base { long n; std::mutex door; }; struct till : base { std::mutex drawer; }; till tills[2]; }\n"
        "int main() {\n  std::thread t([] { std::lock_guard<std::mutex> a(shop::tills[1].door); });\n"
        "  { std::lock_guard<std::mutex> b(shop::tills[1].drawer); }\n  t.join();\n}\n",
        "-g -O1", "c++");
    const std::set<std::string> names = names_in(collect_evidence(running(path), run_on()));
    EXPECT_TRUE(names.contains("shop::tills[1].door"));
    EXPECT_TRUE(names.contains("shop::tills[1].drawer"));
}

// A program's files are as untrusted as its memory.
TEST(Symbols, AreFewerInDamagedFilesAndReadSafely) {
    const std::string whole_path = program(calls, "-O2");
    std::ifstream file(whole_path, std::ios::binary);
    const std::string whole{std::istreambuf_iterator<char>(file), {}};
    const std::string path = whole_path + ".damaged";
    const int rounds = std::getenv("RADDLE_NIGHTLY") != nullptr ? 5000 : 150;
    for (int round = 0; round < rounds; ++round) {
        std::mt19937 random(static_cast<unsigned>(round));
        std::string bytes = whole;
        for (int i = 0; i < 30; ++i) bytes[random() % bytes.size()] = static_cast<char>(random());
        if (round % 3 == 0) bytes.resize(random() % bytes.size());
        if (round % 3 != 0) bytes.replace(0, EI_NIDENT, whole, 0, EI_NIDENT);
        std::ofstream(path, std::ios::binary) << bytes;
        Symbols symbols({{"", 0x555555554000, 0x555555559000}}, path, "");
        for (std::uint64_t address = 0x555555555000; address < 0x555555555400; address += 16) {
            const Stack& stack = symbols.at(address);
            ASSERT_FALSE(stack.empty());
            EXPECT_NE(stack.back().module, "");
            symbols.variable(address + 0x3000);
            if (Dwfl_Module* module = ::dwfl_addrmodule(symbols.dwfl(), address))
                DataNames::in_frame(module, address, {0x7ffff000, 0x7ffff000, 0x7fffe000}, 0x7fffefe0);
        }
    }
    fs::remove(path);
}

TEST(Symbols, AreReadFromRegularFilesOnly) {
    Symbols symbols({{"/dev/zero", 0x1000, 0x2000}}, "/nowhere", "");
    EXPECT_EQ(symbols.at(0x1800).at(0).offset, 0x800u);
    EXPECT_TRUE(symbols.at(0x2800).empty());
}

}  // namespace
}  // namespace raddle::testing
