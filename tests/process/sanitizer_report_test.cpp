#include "supervisor/process/sanitizer_report.h"

#include <gtest/gtest.h>

namespace raddle {
namespace {

const Modules modules = {{"/home/ring", 0x555555554000, 0x555555600000},
                         {"/lib/libasan.so.8", 0x7ffff6000000, 0x7ffff7000000}};

TEST(SanitizerReport, NamesKindAndAccessOfAMemoryError) {
    const SanitizerReport report = read_sanitizer_report(
        "==12==ERROR: AddressSanitizer: heap-buffer-overflow on address 0x20 at pc 0x30 bp 0x40 sp 0x50 / "
        "WRITE of size 4 at 0x20 thread T2 /     #0 0x7ffff6000123  (/lib/libasan.so.8+0x123) / "
        "    #1 0x555555555231  (/home/ring+0x1231) /",
        modules);
    EXPECT_EQ(report.message, "AddressSanitizer: heap-buffer-overflow (WRITE of size 4)");
    EXPECT_EQ(report.site, site_code_at(modules, 0x555555555232)) << "the first frame in the program's own code";
}

TEST(SanitizerReport, NamesPlaceAndValuesOfUndefinedBehaviour) {
    const SanitizerReport report = read_sanitizer_report(
        "/src/add.c:4:15: runtime error: Signed integer overflow: 2147483647 + 1 cannot be represented in type 'int' /",
        modules);
    EXPECT_EQ(
        report.message,
        "UndefinedBehaviorSanitizer: Signed integer overflow at add.c:4:15 (2147483647 + 1 cannot be represented in "
        "type 'int')");
    EXPECT_EQ(report.site, 0u);
}

TEST(SanitizerReport, KeepsTheFirstLineOfAnythingElse) {
    EXPECT_EQ(read_sanitizer_report("something new / more", modules).message, "something new");
    EXPECT_EQ(read_sanitizer_report("", modules).message, "a sanitizer reported an error");
}

}  // namespace
}  // namespace raddle
