#define BOOST_TEST_MODULE transfers
#include <boost/test/included/unit_test.hpp>

#include "tests/suite/programs/transfers.h"

BOOST_AUTO_TEST_CASE(adds) { BOOST_TEST(1 + 1 == 2); }
BOOST_AUTO_TEST_SUITE(moves)
BOOST_AUTO_TEST_CASE(in_order) { BOOST_TEST(moved_in_order() == 2); }
BOOST_AUTO_TEST_CASE(both_ways) { BOOST_TEST(moved_both_ways() == 2); }
BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE(counts)
BOOST_AUTO_TEST_CASE(in_one_step) { BOOST_TEST(counted_in_one_step() == 2); }
BOOST_AUTO_TEST_CASE(in_two_steps) { BOOST_TEST(counted_in_two_steps() == 2); }
BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_CASE(off, *boost::unit_test::disabled()) { BOOST_TEST(false); }
