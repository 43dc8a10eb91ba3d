#include "supervisor/engine/divergence/memory_bisection.h"

#include <optional>

#include "supervisor/engine/divergence/repetitions.h"

namespace raddle {

namespace {

// Two executions may have the same memory by chance.
constexpr unsigned most_pairs = 3;
constexpr std::size_t most_words = 16;

class Comparison {
public:
    Comparison(const ProcessOptions& process, const Schedule& schedule, Across across)
        : process_(process), schedule_(schedule), across_(across) {
        process_.note_calls = true;  // tells where the frames of the program end
    }

    // The difference after so many steps. Nothing if none shows.
    std::optional<MemorySnapshot::Difference> after(std::size_t steps) {
        for (unsigned pair = 0; pair < most_pairs; ++pair) {
            const Held one = held(steps), other = held(steps);
            if (!one.arrived || !other.arrived) {
                if (one.arrived != other.arrived) return MemorySnapshot::Difference{};  // it went another way before
                continue;
            }
            if (!one.memory.was_read() || !other.memory.was_read()) was_read_ = false;
            MemorySnapshot::Ranges dead = one.dead;
            dead.insert(dead.end(), other.dead.begin(), other.dead.end());
            if (MemorySnapshot::Difference found = one.memory.difference(other.memory, dead, most_words)) return found;
        }
        return std::nullopt;
    }

    bool was_read() const { return was_read_; }

private:
    struct Held {
        bool arrived = false;
        MemorySnapshot memory;
        MemorySnapshot::Ranges dead;
    };

    Held held(std::size_t steps) {
        if (!target_ || across_ == Across::launches) {
            target_.reset();
            target_.emplace(process_);
        }
        Held result;
        target_->run_held(plan_until(schedule_, steps, process_),
                          [&](int child, const std::vector<std::uint64_t>& stacks) {
                              result.arrived = true;
                              result.memory = MemorySnapshot::of(child);
                              for (const std::uint64_t lowest : stacks)
                                  if (const std::uint64_t begin = result.memory.mapping_begin(lowest); begin != 0)
                                      result.dead.emplace_back(begin, lowest);
                          });
        return result;
    }

    ProcessOptions process_;
    const Schedule& schedule_;
    const Across across_;
    std::optional<ProcessTarget> target_;
    bool was_read_ = true;
};

}  // namespace

MemoryDivergence first_memory_difference(const ProcessOptions& process, const Schedule& schedule, std::size_t step,
                                         Across across, const std::function<bool()>& is_over) {
    Comparison comparison(process, schedule, across);
    MemoryDivergence result;
    std::size_t same = 0, differs = step - 1;  // steps after which the memory is the same, and differs
    const auto look = [&](std::size_t steps) {
        std::optional<MemorySnapshot::Difference> found = comparison.after(steps);
        if (!found) return false;
        result.has_words = true;
        result.after_step = steps;
        result.difference = std::move(*found);
        return true;
    };
    if (differs > 0) look(differs);
    result.was_read = comparison.was_read();
    if (!result.has_words) return result;
    while (differs - same > 1 && !is_over()) {
        const std::size_t middle = same + (differs - same) / 2;
        (look(middle) ? differs : same) = middle;
    }
    if (differs == 1) look(0);  // before there was a second thread
    return result;
}

}  // namespace raddle
