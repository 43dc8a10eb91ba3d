#include "tests/random_styles.h"

#include <iterator>

#include "supervisor/model/types.h"

namespace raddle::testing {

namespace {

constexpr Style styles[] = {
    //                          mem lck try rw sem wai sig gat onc spi pip tim cho mng tst end mis   (queueing, spinning
    //                          on memory, writing output: 0)
    {"memory", 0, 0, {10, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 1, 0}},
    {"locks", 0, 0, {2, 10, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}},
    {"tries", 30, 0, {3, 4, 7, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0}},
    {"reader-writer", 20, 0, {2, 0, 0, 9, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}},
    {"semaphores", 15, 0, {2, 0, 0, 0, 9, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}},
    {"conditions", 15, 0, {1, 2, 0, 0, 0, 6, 6, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}},
    {"gatherings", 0, 0, {2, 1, 0, 0, 0, 0, 0, 6, 4, 4, 0, 0, 0, 0, 0, 0, 0}},
    {"time", 70, 0, {3, 2, 2, 1, 3, 3, 2, 0, 0, 0, 1, 6, 0, 1, 0, 0, 0}},
    {"cancellation", 10, 70, {2, 1, 0, 0, 4, 4, 2, 0, 0, 0, 2, 2, 0, 7, 3, 0, 0}},
    {"threads", 20, 0, {4, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 7, 0, 2, 0}},
    {"pipes", 15, 10, {2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 9, 1, 0, 0, 0, 0, 0}},
    {"endings", 10, 5, {4, 4, 2, 0, 2, 1, 1, 0, 0, 0, 0, 1, 2, 1, 0, 6, 0}},
    {"misuse", 10, 5, {1, 3, 1, 3, 2, 2, 1, 2, 1, 1, 1, 0, 0, 2, 0, 0, 7}},
    {"mix", 15, 10, {5, 5, 3, 3, 3, 3, 3, 2, 2, 2, 2, 2, 2, 2, 1, 1, 0}},
};
constexpr Style futexes = {"futexes", 25, 20, {4, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 2, 0, 0, 0, 10}};

constexpr Style spins = {"spins", 10, 5, {6, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 0, 0, 1, 0, 0, 8}};

constexpr Style branches = {"branches", 0, 0, {8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 1, 0, 0, 0}};

constexpr Style outputs = {"outputs", 10, 5, {4, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0, 1, 0, 4, 0, 0, 0, 9}};

constexpr Style states = {"states", 25, 20, {4, 2, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1, 0, 1, 0, 0, 0, 3, 0, 0, 9}};

}  // namespace

std::size_t drawn_styles() { return std::size(styles); }

// Each style outside the table takes one seed in fifteen from the others, so the remaining seeds keep their programs.
const Style& style_of(std::uint64_t seed, std::size_t drawn) {
    if (mix64(seed ^ 0x6675) % 15 == 0) return futexes;
    if (mix64(seed ^ 0x7370) % 15 == 0) return spins;
    if (mix64(seed ^ 0x6f70) % 15 == 0) return outputs;
    if (mix64(seed ^ 0x7374) % 15 == 0) return states;
    return mix64(seed ^ 0x6272) % 15 == 0 ? branches : styles[drawn];
}

}  // namespace raddle::testing
