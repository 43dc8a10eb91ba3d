// The values are stored in campaigns, schedule files and tokens: a test that fails here means files that cannot be
// read.
#include "supervisor/base/checksum.h"

#include <gtest/gtest.h>

namespace raddle::testing {
namespace {

const std::string bytes(
    "a\0\xff"
    "b12345678",
    12);

TEST(Checksums, OfSchedulesNeverChange) {
    EXPECT_EQ(checksum_of(""), 0xae5241008c929acbu);
    EXPECT_EQ(checksum_of("raddle"), 0xf193abb8156bb3abu);
    EXPECT_EQ(checksum_of(bytes), 0xf1175fad97c7ab1eu);
}

TEST(Checksums, OfTheJournalNeverChange) {
    EXPECT_EQ(checksum_without_size(""), 0x7cc12c00bfcf48f9u);
    EXPECT_EQ(checksum_without_size("raddle"), 0xc10079c8182e78e0u);
    EXPECT_EQ(checksum_without_size(bytes), 0xfd93b9b5365f7cd5u);
}

TEST(Checksums, OfGrowingSearchesNeverChange) {
    EXPECT_EQ(checksum_by_words(""), 0xae5241008c929acbu);
    EXPECT_EQ(checksum_by_words("raddle"), 0x6343e44377fd2d9au);
    EXPECT_EQ(checksum_by_words(bytes), 0xdffa26237b678df1u);
}

TEST(Checksums, OfSavedSearchesNeverChange) {
    EXPECT_EQ(fnv1a(""), 0xcbf29ce484222325u);
    EXPECT_EQ(fnv1a("raddle"), 0x3c89e470d128127u);
    EXPECT_EQ(fnv1a(bytes), 0x8d55e29a35fd5a11u);
}

TEST(Checksums, OfFilesNeverChange) {
    EXPECT_EQ(fingerprint(""), "ae5241008c929acb");
    EXPECT_EQ(fingerprint("raddle"), "5b8396f081010d1a");
    EXPECT_EQ(fingerprint(bytes), "3b2208a37d20e0b6");
}

}  // namespace
}  // namespace raddle::testing
