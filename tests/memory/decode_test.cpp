// Tests the decoder on single instructions, and on instructions it leaves alone.
#include "supervisor/binary/decode/decode.h"

#include <gtest/gtest.h>

#include <initializer_list>

#include "tests/memory/explore.h"

namespace raddle {
namespace {

using code::Decoded;
using memory::AccessSite;
using memory::Form;
using memory::Source;
namespace reg = memory::reg;

Decoded of(std::initializer_list<std::uint8_t> bytes) {
    const std::vector<std::uint8_t> copy(bytes);
    return code::decode_one(copy, 0x1000);
}

AccessSite site_of(std::initializer_list<std::uint8_t> bytes) {
    const Decoded decoded = of(bytes);
    EXPECT_EQ(decoded.sites.size(), 1u);
    return decoded.sites.empty() ? AccessSite{} : decoded.sites.front();
}

TEST(Decode, RipRelativeAddressesCountFromTheModule) {
    const AccessSite site = site_of({0x8b, 0x05, 0x10, 0, 0, 0});  // mov 0x10(%rip), %eax
    EXPECT_EQ(site.operand[0].base, reg::module);
    EXPECT_EQ(site.operand[0].displacement, 0x1016);
    EXPECT_EQ(site.operand[0].mode, memory::reads);
    EXPECT_EQ(site.operand[0].bytes, 4);
    EXPECT_EQ(site.relative_at, 2);
}

TEST(Decode, BaseIndexAndScaleAreThoseOfTheEncoding) {
    const AccessSite site = site_of({0x89, 0x4c, 0xcb, 0x08});  // mov %ecx, 8(%rbx,%rcx,8)
    EXPECT_EQ(site.operand[0].base, reg::rbx);
    EXPECT_EQ(site.operand[0].index, reg::rcx);
    EXPECT_EQ(site.operand[0].scale, 8);
    EXPECT_EQ(site.operand[0].mode, memory::writes);
    EXPECT_EQ(site.source, Source::low);
    EXPECT_EQ(site.source_register, reg::rcx);
}

TEST(Decode, TheStackPointerAddressesTheThreadsOwnMemory) {
    EXPECT_EQ(site_of({0x8b, 0x44, 0x24, 0x08}).own, 1);  // mov 8(%rsp), %eax
    EXPECT_TRUE(of({0x50}).sites.empty());                // push %rax
    EXPECT_TRUE(of({0xc3}).sites.empty());                // ret
}

TEST(Decode, AFramePointerWithoutSetupAddressesAnyMemory) {
    EXPECT_EQ(site_of({0x8b, 0x45, 0xfc}).own, 0);  // mov -4(%rbp), %eax
}

TEST(Decode, AtomicInstructionsAreMarked) {
    const AccessSite add = site_of({0xf0, 0x0f, 0xc1, 0x07});  // lock xadd %eax, (%rdi)
    EXPECT_EQ(add.form, Form::update);
    EXPECT_EQ(add.update, Update::add);
    EXPECT_EQ(add.atomic, 1);
    EXPECT_EQ(site_of({0x87, 0x07}).update, Update::exchange);                  // xchg: always locked
    EXPECT_EQ(site_of({0xf0, 0x0f, 0xb1, 0x0f}).form, Form::compare_exchange);  // lock cmpxchg %ecx, (%rdi)
    EXPECT_EQ(site_of({0x01, 0x07}).form, Form::access);                        // add %eax, (%rdi): two steps
    EXPECT_EQ(site_of({0xf0, 0x29, 0x07}).negated, 1);                          // lock sub %eax, (%rdi)
}

TEST(Decode, ACallThroughMemoryPushesItsReturnAddress) {
    const AccessSite site = site_of({0xff, 0x50, 0x10});  // call *16(%rax)
    EXPECT_EQ(site.copy[0], 0xff);                        // push the saved word, …
    EXPECT_EQ(site.copy[1], 0x35);
    EXPECT_EQ(site.copy[7], 0x60);  // … jmp *16(%rax)
    EXPECT_EQ(site.return_at, 2);
    EXPECT_EQ(site.leaves, 1);
}

TEST(Decode, AddressesThatAreNotAccessedAreNoSites) {
    EXPECT_TRUE(of({0x48, 0x8d, 0x07}).sites.empty());        // lea (%rdi), %rax
    EXPECT_TRUE(of({0x0f, 0x1f, 0x40, 0x00}).sites.empty());  // nopl 0(%rax)
    EXPECT_TRUE(of({0x0f, 0x18, 0x0f}).sites.empty());        // prefetcht0 (%rdi)
}

TEST(Decode, UnsupportedInstructionsAreListed) {
    for (const Decoded& decoded : {of({0xd7}),                 // xlat
                                   of({0x0f, 0xab, 0x07}),     // bts %eax, (%rdi)
                                   of({0x0f, 0xae, 0x07}),     // fxsave (%rdi)
                                   of({0x67, 0x8b, 0x07})}) {  // mov (%edi), %eax
        EXPECT_TRUE(decoded.sites.empty());
        EXPECT_EQ(decoded.skipped.size(), 1u);
    }
}

TEST(Decode, TruncatedCodeHasNoSites) {
    EXPECT_TRUE(of({0x8b}).sites.empty());
    EXPECT_TRUE(of({}).sites.empty());
}

TEST(Decode, AProgramIsDecodedInOrderAndCompletely) {
    const code::ElfCode elf(lockless_program("O2", "wsq"));
    const Decoded decoded = code::decode(elf);
    EXPECT_GT(decoded.sites.size(), 10u);
    EXPECT_TRUE(decoded.skipped.empty());
    for (std::size_t i = 1; i < decoded.sites.size(); ++i)
        EXPECT_LT(decoded.sites[i - 1].address, decoded.sites[i].address);
}

TEST(Decode, FunctionsWithAccessesAreDescribedWithoutGaps) {
    const code::ElfCode elf(lockless_program("O2", "copies"));
    const Decoded decoded = code::decode(elf);
    ASSERT_GT(decoded.functions.size(), 5u);
    for (const memory::CodeFunction& function : decoded.functions) {
        std::uint32_t bytes = 0;
        for (std::uint32_t i = 0; i < function.instruction_count; ++i)
            bytes += decoded.instructions[function.first_instruction + i].length;
        EXPECT_EQ(bytes, function.bytes);
        EXPECT_EQ(decoded.instructions[function.first_instruction].entered, 1);
        EXPECT_EQ(decoded.sites[function.first_site].address >= function.address, true);
    }
}

TEST(Decode, TheInstructionBehindACallIsEntered) {
    const code::ElfCode elf(lockless_program("O2", "copies"));
    const Decoded decoded = code::decode(elf);
    std::uint32_t calls = 0;
    for (const memory::CodeFunction& function : decoded.functions)
        for (std::uint32_t i = 1; i < function.instruction_count; ++i) {
            const memory::Instruction* const it = &decoded.instructions[function.first_instruction + i];
            if (it[-1].placement != memory::Placement::call || it->placement == memory::Placement::padding) continue;
            ++calls;
            EXPECT_EQ(it->entered, 1);
        }
    EXPECT_GT(calls, 10u);
}

TEST(Decode, TablesOfSwitchesAndComputedJumpsLeaveNoFunctionInDoubt) {
    for (const char* const level : {"O0", "O2"})
        for (const memory::CodeFunction& function :
             code::decode(code::ElfCode(lockless_program(level, "copies"))).functions)
            EXPECT_EQ(function.knows_entries, 1u) << level << " " << std::hex << function.address;
}

TEST(Decode, AFileThatIsNoProgramHasNoCode) {
    EXPECT_TRUE(code::ElfCode("/nonexistent").functions().empty());
    EXPECT_TRUE(code::ElfCode("/etc/passwd").functions().empty());
    EXPECT_TRUE(code::decode(code::ElfCode("/etc/passwd")).sites.empty());
}

}  // namespace
}  // namespace raddle
