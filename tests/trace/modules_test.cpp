// Call sites and static objects by module and offset.
#include "supervisor/trace/modules.h"

#include <gtest/gtest.h>

#include "supervisor/trace/execution.h"

namespace raddle {
namespace {

const Modules modules = {
    {"/home/u/abba", 0x1000, 0x5000}, {"/lib/libc.so.6", 0x8000, 0x9000}, {"/opt/libc.so.6", 0xa000, 0xb000}};

TEST(Modules, SiteIsModuleAndOffset) {
    EXPECT_EQ(site_of(0), std::nullopt);
    EXPECT_EQ(site_of(std::uint64_t{2} << 48 | 0x123), (Site{1, 0x123}));
    EXPECT_EQ(text_of_site(std::uint64_t{2} << 48 | 0x123, &modules), "libc.so.6+0x123");
    EXPECT_EQ(text_of_site(std::uint64_t{3} << 48 | 0x123, &modules), "libc.so.6#2+0x123");
    EXPECT_EQ(text_of_site(std::uint64_t{9} << 48 | 0x123, &modules), "module8+0x123");
    EXPECT_EQ(text_of_site(std::uint64_t{1} << 48 | 0x123, nullptr), "module0+0x123");
    EXPECT_EQ(text_of_site(0, &modules), "?");
}

TEST(Modules, AnAddressBelongsToTheModuleAroundIt) {
    EXPECT_EQ(text_of_site(site_code_at(modules, 0x1234), &modules), "abba+0x234");
    EXPECT_EQ(text_of_site(site_code_at(modules, 0x8000), &modules), "libc.so.6+0x0");
    EXPECT_EQ(site_code_at(modules, 0x7000), 0u);
    EXPECT_EQ(site_code_at(modules, 0x9000), 0u) << "the end is beyond it";
}

TEST(Modules, StaticObjectsHaveTheNameOfTheirModule) {
    EXPECT_EQ(name_of(object_in(Space::module, 0, 0x40), &modules), "abba+0x40");
    EXPECT_EQ(name_of(object_in(Space::module, 7, 0x40), &modules), "module7+0x40");
    EXPECT_EQ(name_of(object_in(Space::heap, 0, 0x40), &modules), "heap:T0+0x40");
}

}  // namespace
}  // namespace raddle
