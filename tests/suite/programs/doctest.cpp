#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <doctest/doctest.h>

#include "tests/suite/programs/transfers.h"

TEST_CASE("adds, [even] here") { CHECK(1 + 1 == 2); }
TEST_CASE("moves in order") { CHECK(moved_in_order() == 2); }
TEST_CASE("moves both ways") { CHECK(moved_both_ways() == 2); }
TEST_CASE("counts in one step") { CHECK(counted_in_one_step() == 2); }
TEST_CASE("counts in two steps") { CHECK(counted_in_two_steps() == 2); }
TEST_CASE("off" * doctest::skip()) { CHECK(false); }
