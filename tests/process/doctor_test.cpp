// Programs that raddle cannot control are refused with advice: before a run, and in a run that is tried anyway.

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <fstream>

#include "supervisor/process/launch/doctor.h"
#include "tests/command_line.h"
#include "tests/process/programs.h"

namespace raddle::testing {
namespace {

CannotRun::Reason reason_of(const ProcessOptions& options, std::string* text = nullptr) {
    try {
        ProcessTarget(options).run(run_on());
    } catch (const CannotRun& refusal) {
        if (text != nullptr) *text = refusal.what();
        return refusal.reason;
    }
    ADD_FAILURE() << "it was run";
    return {};
}

TEST(Doctor, FindsNothingWrongWithAnOrdinaryProgram) {
    const Examination examination = examine(sample("ok/locks"));
    EXPECT_TRUE(examination.controllable);
    EXPECT_TRUE(examination.remarks.empty());
}

TEST(Doctor, MentionsThatThereAreNoThreads) {
    const Examination examination = examine(program("int main(void) { return 0; }"));
    EXPECT_TRUE(examination.controllable);
    EXPECT_EQ(examination.remarks.size(), 1u);
}

TEST(Doctor, MentionsInstructionsOutsideRaddlesControl) {
    const std::string path = program(
        "#include <pthread.h>\nstatic void* body(void* p) { return p; }\n"
        "int main(void) { pthread_t t; unsigned low, high; unsigned long number;\n"
        "  __asm__ volatile(\"rdtsc\" : \"=a\"(low), \"=d\"(high));\n"
        "  if (low == high + 1) __asm__ volatile(\"rdrand %0\" : \"=r\"(number));\n"
        "  return pthread_create(&t, 0, body, 0) + pthread_join(t, 0); }");
    const Examination examination = examine(path);
    EXPECT_TRUE(examination.controllable);
    ASSERT_EQ(examination.remarks.size(), 1u);
    EXPECT_NE(examination.remarks[0].find("rdtsc at 0x"), std::string::npos) << examination.remarks[0];
    EXPECT_NE(examination.remarks[0].find("and 1 more"), std::string::npos) << examination.remarks[0];
}

TEST(Doctor, RefusesAProgramWithItsOwnRuntime) {
    const std::string path =
        program("#include <pthread.h>\nvoid __tsan_init(void) {}\nint main(void) { return pthread_create == 0; }");
    const Examination examination = examine(path);
    ASSERT_FALSE(examination.controllable);
    EXPECT_NE(examination.reasons[0].find("libtsan.so.2"), std::string::npos) << "and is told what to link";
}

void expect_refused(const std::string& path, const std::string& why, const std::string& advice) {
    const Examination examination = examine(path);
    ASSERT_FALSE(examination.controllable);
    EXPECT_NE(examination.reasons[0].find(why), std::string::npos);
    std::string text;
    EXPECT_EQ(reason_of(running(path), &text), CannotRun::Reason::not_controllable);
    EXPECT_NE(text.find(advice), std::string::npos) << text;
}

TEST(Doctor, RefusesAStaticProgram) {
    expect_refused(program("int main(void) { return 0; }", "-static"), "statically linked", "-static");
}

TEST(Doctor, RefusesAProgramInGo) {
    expect_refused(
        program("__attribute__((section(\".go.buildinfo\"), used)) static int info = 1;\nint main(void) { return 0; }"),
        "a Go program", "go build -race");
}

const char* const with_a_thread =
    "#include <pthread.h>\nstatic void* body(void* p) { return p; }\n"
    "int main(void) { pthread_t t; return pthread_create(&t, 0, body, 0) + pthread_join(t, 0); }";

TEST(Doctor, RefusesByNameWhatTheRuntimeDoesNotAllow) {
    expect_refused(program(with_a_thread, "-fsanitize=address -static-libasan"), "AddressSanitizer", "export");
    if (std::system("command -v clang >/dev/null") != 0) GTEST_SKIP() << "no clang";
    expect_refused(program(with_a_thread, "-fsanitize=memory", "clang"), "MemorySanitizer", "-fsanitize=");
}

void expect_controlled(const std::string& path) {
    SCOPED_TRACE(path);
    EXPECT_TRUE(examine(path).controllable);
    EXPECT_EQ(ProcessTarget(running(path)).run(run_on()).verdict, Verdict::ok);
}

TEST(Doctor, AcceptsSanitizers) {
    for (const char* flags : {"-fsanitize=undefined", "-fsanitize=address", "-fsanitize=leak",
                              "-fsanitize=address -static-libasan -rdynamic", "-fsanitize=leak -static-liblsan"})
        expect_controlled(program(with_a_thread, flags));
    if (std::system("command -v clang >/dev/null") != 0) GTEST_SKIP() << "no clang";
    for (const char* flags : {"-fsanitize=undefined", "-fsanitize=address", "-fsanitize=leak"})
        expect_controlled(program(with_a_thread, flags, "clang"));
}

TEST(Doctor, RefusesAFileThatIsNoProgram) {
    EXPECT_EQ(reason_of(running("/no/such/program")), CannotRun::Reason::not_found);
    EXPECT_EQ(reason_of(running("no-such-program-in-path")), CannotRun::Reason::not_found);
    EXPECT_EQ(reason_of(running("/etc/passwd")), CannotRun::Reason::not_executable);
    const std::string junk = program("int main(void) { return 1; }") + "junk";
    std::ofstream(junk) << "\x7f"
                           "ELF and then nothing of the kind";
    ::chmod(junk.c_str(), 0755);
    EXPECT_EQ(reason_of(running(junk)),
              child_tells_what_failed ? CannotRun::Reason::not_executable : CannotRun::Reason::not_controllable);
    EXPECT_FALSE(examine(junk).controllable);
    EXPECT_FALSE(examine("/no/such/program").controllable);
}

TEST(Environment, IsTheUsersEnvironment) {
    ProcessOptions options = running(program(R"(
        #include <stdio.h>
        #include <stdlib.h>
        extern char** environ;
        int main(void) { for (char** e = environ; *e; ++e) puts(*e); return 0; })"));
    options.environment = {{"HOME=/nowhere", "LD_PRELOAD=libm.so.6", "OTHER=1"}};
    ProcessTarget target(options);
    EXPECT_EQ(target.run(run_on()).verdict, Verdict::ok);
    EXPECT_EQ(target.output(), "HOME=/nowhere\nOTHER=1\nLD_PRELOAD=libm.so.6\nRADDLE_ACTIVE=1\n");
    options.environment = {{"OTHER=2"}};
    ProcessTarget without(options);
    without.run(run_on());
    EXPECT_EQ(without.output(), "OTHER=2\nRADDLE_ACTIVE=1\n");
}

TEST(Environment, LetsOpenMpWaitWithoutSpinningUnlessTheUserChooses) {
    ProcessOptions options = running(program(R"(
        #include <stdio.h>
        extern char** environ;
        int main(void) {
            int seen = 0;
            #pragma omp parallel
            seen = 1;
            for (char** e = environ; *e; ++e) puts(*e);
            return !seen;
        })",
                                             "-fopenmp"));
    options.environment = {{"A=1"}};
    ProcessTarget passive(options);
    passive.run(run_on());
    EXPECT_EQ(passive.output(), "A=1\nOMP_WAIT_POLICY=passive\nRADDLE_ACTIVE=1\n");
    options.environment = {{"GOMP_SPINCOUNT=5"}};
    ProcessTarget wished(options);
    wished.run(run_on());
    EXPECT_EQ(wished.output(), "GOMP_SPINCOUNT=5\nRADDLE_ACTIVE=1\n");
}

}  // namespace
}  // namespace raddle::testing
