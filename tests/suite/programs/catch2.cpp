#define CATCH_CONFIG_MAIN
#include <catch2/catch.hpp>

#include "tests/suite/programs/transfers.h"

TEST_CASE("adds, [even] here", "[plain]") { REQUIRE(1 + 1 == 2); }
TEST_CASE("moves in order") { REQUIRE(moved_in_order() == 2); }
TEST_CASE("moves both ways") { REQUIRE(moved_both_ways() == 2); }
TEST_CASE("counts in one step") { REQUIRE(counted_in_one_step() == 2); }
TEST_CASE("counts in two steps") { REQUIRE(counted_in_two_steps() == 2); }
TEST_CASE("off", "[.]") { REQUIRE(false); }
