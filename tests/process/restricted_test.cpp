// Containers may forbid personality() and ptrace(). raddle works there, too, and says what differs.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/command_line.h"
#include "tests/process/programs.h"

namespace raddle::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

// Executes its arguments under a seccomp filter, as Docker's default profile has one.
const char* const filter = R"(
    #include <errno.h>
    #include <linux/filter.h>
    #include <linux/seccomp.h>
    #include <stddef.h>
    #include <sys/prctl.h>
    #include <sys/syscall.h>
    #include <unistd.h>
    int main(int count, char** words) {
        struct sock_filter rules[] = {
            BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
            BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_personality, 1, 0),
            BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_ptrace, 0, 1),
            BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
            BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
        };
        struct sock_fprog program = {sizeof rules / sizeof *rules, rules};
        if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program)) return 126;
        if (count > 1) execv(words[1], words + 1);
        return 127;
    }
)";

Ended restricted(std::vector<std::string> words, const std::string& subject) {
    words.insert(words.begin(), {program(filter), std::string(RADDLE_BUILD_DIR) + "/bin/raddle"});
    words.insert(words.end(), {"--", sample(subject)});
    return execute(words);
}

TEST(Restricted, CallsAreExploredAsElsewhere) {
    const Ended bug = restricted({"run", "-q", "--no-store", "--memory", "sync"}, "deadlock/abba");
    EXPECT_EQ(bug.status, 1) << bug.errors;
    EXPECT_THAT(bug.out, HasSubstr("3/3 replays"));
    const Ended fine = restricted({"run", "-q", "--no-store", "--memory", "sync"}, "ok/locks");
    EXPECT_THAT(fine.out, HasSubstr("\naddresses   differ from launch to launch"));
    EXPECT_TRUE(json_of(restricted({"run", "-q", "--no-store", "--json"}, "deadlock/abba")).at("addresses_differ"));
}

TEST(Restricted, DoctorSaysSo) {
    EXPECT_THAT(restricted({"doctor"}, "ok/locks").out, HasSubstr("addresses differ from launch to launch"));
    const Ended free = execute({std::string(RADDLE_BUILD_DIR) + "/bin/raddle", "doctor", "--", sample("ok/locks")});
    EXPECT_THAT(free.out, Not(HasSubstr("addresses differ")));
}

}  // namespace
}  // namespace raddle::testing
