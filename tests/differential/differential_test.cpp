// Random programs in C: raddle finds exactly the outcomes that the interpreter of this folder finds.
#include <gtest/gtest.h>

#include <cstdlib>

#include "tests/differential/comparison.h"
#include "tests/differential/generator.h"

namespace raddle::differential {
namespace {

// Those whose programs raddle explores completely.
const std::vector<Feature> features = {Feature::memory,
                                       Feature::atomics,
                                       Feature::mutexes,
                                       Feature::conditions,
                                       Feature::semaphores,
                                       Feature::spin_locks,
                                       Feature::rwlocks,
                                       Feature::barriers,
                                       Feature::once,
                                       Feature::timed_waits,
                                       Feature::pipes,
                                       Feature::thread_exits,
                                       Feature::detached_threads,
                                       Feature::cancellation,
                                       Feature::out_parameters,
                                       Feature::process_ends,
                                       Feature::output_of_threads};

struct Batch {
    std::vector<Program> programs;
    std::vector<Outcomes> outcomes;
};

// Programs that POSIX defines and that have few states, from the seed on.
Batch batch_of(std::uint64_t& seed, std::size_t count) {
    Batch batch;
    for (; batch.programs.size() < count; ++seed) {
        Program program = make_program(seed, features);
        auto outcomes = every_outcome(program);
        if (!outcomes) continue;
        batch.programs.push_back(std::move(program));
        batch.outcomes.push_back(std::move(*outcomes));
    }
    return batch;
}

// The ways take turns. The interpreter does not know the price of a wait that gives up.
const Way& way_for(const Program& program, std::size_t turn) {
    const auto& ways = ways_to_run();
    const bool waits_for_a_time =
        program.uses(Do::timedlock) || program.uses(Do::sem_timedwait) || program.uses(Do::cond_timedwait);
    while (waits_for_a_time && ways[turn % ways.size()].bound >= 0) ++turn;
    return ways[turn % ways.size()];
}

void compare(const Batch& batch, std::size_t first) {
    const Executable executable(batch.programs);
    for (std::size_t i = 0; i < batch.programs.size(); ++i) {
        const Way& way = way_for(batch.programs[i], first + i);
        const std::string text = difference(batch.outcomes[i], executable, i, way);
        if (text.empty()) continue;
        const Program small = shrunk(batch.programs[i], way, text);
        ADD_FAILURE() << "seed " << batch.programs[i].seed << ", " << way.name << "\n"
                      << text << "shrunk:\n"
                      << difference(*every_outcome(small), Executable({small}), 0, way) << c_text({small});
    }
}

TEST(Differential, RaddleFindsExactlyTheOutcomesOfTheInterpreter) {
    const char* const first = std::getenv("RADDLE_DIFFERENTIAL_SEED");
    std::uint64_t seed = first != nullptr ? std::strtoull(first, nullptr, 10) : 1;
    const std::size_t batches = std::getenv("RADDLE_NIGHTLY") != nullptr ? 50 : 2, size = 100;
    for (std::size_t batch = 0; batch < batches; ++batch) compare(batch_of(seed, size), batch * size);
}

}  // namespace
}  // namespace raddle::differential
