// Names of Rust functions in readable form, from the names that rustc gave to functions of its library.
#include <gtest/gtest.h>

#include "supervisor/binary/debuginfo/cxx_names.h"
#include "supervisor/binary/debuginfo/rust_names.h"
#include "supervisor/binary/debuginfo/symbols.h"

namespace raddle {
namespace {

TEST(RustNames, ArePathsWithoutGenericArguments) {
    const std::pair<const char*, const char*> names[] = {
        {"_RINvNtNtCsgEmfK2I1SDS_4core4sync6atomic12atomic_storehECsjrHSEGnQ3l9_3std",
         "core::sync::atomic::atomic_store"},
        {"_RNvMs1v_NtNtCsgEmfK2I1SDS_4core4sync6atomicNtB6_9AtomicU329fetch_sub",
         "core::sync::atomic::AtomicU32::fetch_sub"},
        {"_RNvMs4_NtNtCsgEmfK2I1SDS_4core4sync6atomicINtB5_9AtomicPtrPhE4loadCsjrHSEGnQ3l9_3std",
         "core::sync::atomic::AtomicPtr::load"},
        {"_RNvXs19_NtNtCsgEmfK2I1SDS_4core4sync6atomicNtB6_9AtomicU32NtNtBa_3fmt5Debug3fmt",
         "core::sync::atomic::AtomicU32::fmt"},
        {"_RNvNtNtNtNtCsjrHSEGnQ3l9_3std3sys12thread_local11destructors10linux_like8register",
         "std::sys::thread_local::destructors::linux_like::register"},
        {"_RNCNvC4prog4mains_0", "prog::main::{closure}"},
        {"_RNvYlNtC3abc3Foo3bar", "i32::bar"},
    };
    for (const auto& [mangled, plain] : names) {
        EXPECT_EQ(rust_name(mangled).value_or("nothing"), plain) << mangled;
        EXPECT_EQ(demangled(mangled), plain);
    }
}

TEST(RustNames, InTheOldManglingAreCxxNamesWithAHash) {
    EXPECT_EQ(demangled("_ZN4core4sync6atomic11atomic_swap17h0c0d981eb14ca1d7E"), "core::sync::atomic::atomic_swap");
    EXPECT_EQ(
        plain_rust_name("_$LT$std..sync..MutexGuard$LT$T$GT$$u20$as$u20$core..ops..Drop$GT$::drop::h0123456789abcdef"),
        "<std::sync::MutexGuard<T> as core::ops::Drop>::drop");
    EXPECT_EQ(plain_rust_name("prog::main::_$u7b$$u7b$closure$u7d$$u7d$::h0123456789abcdef"),
              "prog::main::{{closure}}");
    EXPECT_EQ(plain_rust_name("some::h0123456789abcde"), "some::h0123456789abcde");
    EXPECT_EQ(demangled("_ZN4some5thing3putEv"), "some::thing::put()");
}

TEST(RustNames, LeaveOtherNamesUnchanged) {
    for (const char* name :
         {"main", "_R", "_Reader", "_RNvC", "_RNvB_3abc", "_RNvNvB_B_", "_RB_", "_RNvC99999999abc3def", "_RIC3abcTTTT"})
        EXPECT_EQ(demangled(name), name);
    // Names that are cut off inside a type must not crash the reader.
    const std::string whole = "_RINvNtNtCsgEmfK2I1SDS_4core4sync6atomic12atomic_storehECsjrHSEGnQ3l9_3std";
    for (std::size_t length = 2; length < whole.size(); ++length) rust_name(whole.substr(0, length));
    // Back references that double the name each time are refused.
    EXPECT_FALSE(rust_name("_RYTTTTTTTTTTTTTTTTTTTTTTTTTTTTB_B_EB0_B0_E"));
}

// Substitutions that double the name each: these 360 bytes stand for more characters than there is memory.
TEST(CxxNames, ThatGrowWithoutBoundAreCut) {
    std::string name = "_Z1f1aIiiE";
    for (const char before : std::string("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"))
        name += std::string("S_IS") + before + "_S" + before + "_E";
    EXPECT_LE(demangled(name.c_str()).size(), 1000u);
    EXPECT_EQ(cxx_name("_ZNSt6vectorIiSaIiEE9push_backEOi", 100),
              "std::vector<int, std::allocator<int> >::push_back(int&&)");
    EXPECT_EQ(cxx_name("_ZNSt6vectorIiSaIiEE9push_backEOi", 11), "std::vector");
    EXPECT_EQ(cxx_name("_ZNSt6vectorIiSaIiEE9push_backEOi", 0), "");
}

TEST(CxxNames, AreNoneOfDamagedNames) {
    const std::string whole = "_ZNSt6vectorIiSaIiEE9push_backEOi";
    for (const char* name : {"", "_Z", "_ZN", "_Zfoo", "main", "_ZN99999999999foo"})
        EXPECT_EQ(cxx_name(name, 1000), std::nullopt) << name;
    for (std::size_t length = 0; length < whole.size(); ++length) cxx_name(whole.substr(0, length).c_str(), 1000);
    for (const std::string part : {"P", "R", "N1a", "L", "X", "T_", "I", "DpDp", "St", "FvvE", "S_"}) {
        std::string deep = "_Z1f";
        while (deep.size() < 990) deep += part;
        EXPECT_LE(demangled(deep.c_str()).size(), 1000u);
    }
}

}  // namespace
}  // namespace raddle
