// Every execution of a restored process is compared with one in a fresh process, whatever came before it.
#include <gtest/gtest.h>

#include <memory>
#include <random>

#include "tests/command_line.h"
#include "tests/process/programs.h"

namespace raddle::testing {
namespace {

// Schedules that leave the one before somewhere, as a search has them.
void compare_all(const std::vector<std::string>& line, unsigned seed) {
    ProcessOptions options = running(line[0]);
    options.argv = line;
    options.restore = Restore::whenever_possible;
    options.output = options.errors = Output::capture;
    options.orders_stdout = options.orders_stderr = true;
    options.code = std::make_shared<InstrumentedCode>(line[0], std::vector<std::string>{}, MemoryLevel::races);
    options.check_every = 1;
    ProcessTarget target(options);
    for (int growth = 0; growth < 3; ++growth) target.run(run_on());
    std::mt19937 random(seed);
    Schedule known = target.run(run_on()).schedule();
    for (int i = 0; i < 40; ++i) {
        Plan plan;
        plan.prefix.assign(known.begin(), known.begin() + static_cast<std::ptrdiff_t>(random() % known.size()));
        plan.tail.kind = TailKind::random;
        plan.tail.seed = random();
        plan.epoch = options.code->epoch();
        const Execution execution = target.run(plan);
        EXPECT_NE(execution.verdict, Verdict::diverged) << execution.message << "\n" << text_of(execution.schedule());
        if (execution.verdict == Verdict::ok) known = execution.schedule();
    }
    EXPECT_EQ(target.restarts().differed, 0u) << "seed " << seed << ": " << text_of(target.restarts());
    EXPECT_GT(target.restarts().checked, 30u) << text_of(target.restarts());
}

TEST(EveryExecution, IsThatOfAFreshProcess) {
    const std::string program = RADDLE_BUILD_DIR "/claims/before_the_end";
    for (unsigned seed = 0; seed < 10; ++seed)
        for (const std::vector<std::string>& line : std::vector<std::vector<std::string>>{
                 {program, "print", "handler"}, {program, "write", "exit"}, {program, "print", "both"}})
            compare_all(line, seed);
}

}  // namespace
}  // namespace raddle::testing
