// While an access is handled, the interrupted instruction's wide registers are not saved
// (preload/schedule/live_registers.h). So nothing that the handler calls may change them, but for places that keep them
// first, or never come back.
#include <gtest/gtest.h>

#include <cstdio>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace raddle::layers {
namespace {

struct Function {
    std::set<std::string> calls;
    std::string wide;  // an instruction with a wide register, if there is one
};
using Functions = std::map<std::string, Function>;

// The target of "call   1234 <name+0x10>"; empty if the line has none.
std::string target_of(const std::string& line) {
    const std::size_t begin = line.find(" <");
    const std::size_t end = line.rfind('>');
    if (begin == std::string::npos || end == std::string::npos || line.find("*") != std::string::npos) return "";
    std::string name = line.substr(begin + 2, end - begin - 2);
    if (const std::size_t plus = name.rfind("+0x"); plus != std::string::npos) name.resize(plus);
    return name;
}

bool has_wide_register(const std::string& line) {
    for (const char* name : {"%ymm", "%zmm", "%k0", "%k1", "%k2", "%k3", "%k4", "%k5", "%k6", "%k7", "%mm", "%st"})
        if (line.find(name) != std::string::npos) return true;
    return false;
}

// From the output of objdump -d -C.
Functions functions_in(std::istream& disassembly) {
    Functions functions;
    Function* current = nullptr;
    std::string line;
    while (std::getline(disassembly, line)) {
        if (line.ends_with(">:")) {
            const std::size_t begin = line.find('<');
            current = &functions[line.substr(begin + 1, line.size() - begin - 3)];
            continue;
        }
        const std::size_t code = line.find(":\t");
        if (current == nullptr || code == std::string::npos) continue;
        const std::string text = line.substr(code + 2);
        if (has_wide_register(text)) current->wide = text;
        if (text.starts_with("call") || text.starts_with("j"))
            if (const std::string target = target_of(text); !target.empty()) current->calls.insert(target);
    }
    return functions;
}

bool is_one_of(const std::string& name, const std::vector<std::string>& beginnings) {
    for (const std::string& one : beginnings)
        if (name.starts_with(one)) return true;
    return false;
}

// What is wrong with the functions that `from` reaches, except through those with such names.
std::vector<std::string> wrong_from(const Functions& functions, const std::string& from,
                                    const std::vector<std::string>& except) {
    std::vector<std::string> wrong, open{from};
    std::set<std::string> seen{from};
    while (!open.empty()) {
        const std::string name = open.back();
        open.pop_back();
        const auto found = functions.find(name);
        if (found == functions.end()) continue;
        if (!found->second.wide.empty()) wrong.push_back(name + ": " + found->second.wide);
        for (const std::string& called : found->second.calls) {
            if (is_one_of(called, except) || !seen.insert(called).second) continue;
            if (called.find("@plt") != std::string::npos)
                wrong.push_back(name + " calls " + called);
            else
                open.push_back(called);
        }
    }
    return wrong;
}

TEST(LiveRegisters, CheckerSeesWhatIsForbidden) {
    std::istringstream text(
        "0000000000001000 <start>:\n    1000:\tcall   2000 <a::b(int)>\n    1005:\tjmp    3000 <kept()+0x10>\n"
        "0000000000002000 <a::b(int)>:\n    2000:\tvmovdqu %ymm0,(%rdi)\n    2005:\tcall   4000 <memcpy@plt>\n"
        "0000000000003000 <kept()>:\n    3000:\tcall   4010 <strlen@plt>\n");
    EXPECT_EQ(wrong_from(functions_in(text), "start", {"kept()"}),
              (std::vector<std::string>{"a::b(int): vmovdqu %ymm0,(%rdi)", "a::b(int) calls memcpy@plt"}));
}

#ifdef RADDLE_SHIM

TEST(LiveRegisters, AreLeftAloneByAllThatAnAccessReaches) {
    FILE* objdump = popen(RADDLE_OBJDUMP " -d -C --no-show-raw-insn '" RADDLE_SHIM "'", "r");
    ASSERT_NE(objdump, nullptr);
    std::string output;
    char some[65536];
    for (std::size_t got; (got = std::fread(some, 1, sizeof some, objdump)) > 0;) output.append(some, got);
    ASSERT_EQ(pclose(objdump), 0) << "objdump could not read " << RADDLE_SHIM;
    std::istringstream text(output);
    const Functions functions = functions_in(text);
    ASSERT_TRUE(functions.contains("raddle_memory_access"));
    ASSERT_TRUE(functions.contains("raddle::live_registers::keep_now()"));
    const std::vector<std::string> except = {
        // The registers are kept before these are called.
        "raddle::signals::run_pending_handlers", "raddle::lookup::", "raddle::canonical::refresh",
        "dl_iterate_phdr@plt", "raddle::backend::release",
        // These never come back.
        "raddle::scheduler::end_with", "raddle::scheduler::end_child", "raddle::restore::leave", "raddle::fail()",
        "raddle::crash::end_process", "__stack_chk_fail",
        // A debugger looks at each step; it does not run the program's code.
        "raddle::debugger::"};
    for (const std::string& wrong : wrong_from(functions, "raddle_memory_access", except)) ADD_FAILURE() << wrong;
}

#endif

}  // namespace
}  // namespace raddle::layers
