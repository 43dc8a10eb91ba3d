#include "store/processor.h"

#include <cpuid.h>

#include <array>
#include <cstdint>

namespace raddle {

namespace {

enum Register : std::uint8_t { eax, ebx, ecx, edx };

struct Feature {
    const char* name;
    unsigned leaf;
    Register place;
    unsigned bit;
};

// glibc and the dispatchers of compilers choose functions by these features.
constexpr Feature features[] = {
    {"sse3", 1, ecx, 0},          {"pclmul", 1, ecx, 1},
    {"ssse3", 1, ecx, 9},         {"fma", 1, ecx, 12},
    {"cx16", 1, ecx, 13},         {"sse4.1", 1, ecx, 19},
    {"sse4.2", 1, ecx, 20},       {"movbe", 1, ecx, 22},
    {"popcnt", 1, ecx, 23},       {"aes", 1, ecx, 25},
    {"xsave", 1, ecx, 26},        {"osxsave", 1, ecx, 27},
    {"avx", 1, ecx, 28},          {"f16c", 1, ecx, 29},
    {"rdrand", 1, ecx, 30},       {"bmi", 7, ebx, 3},
    {"hle", 7, ebx, 4},           {"avx2", 7, ebx, 5},
    {"bmi2", 7, ebx, 8},          {"erms", 7, ebx, 9},
    {"rtm", 7, ebx, 11},          {"avx512f", 7, ebx, 16},
    {"avx512dq", 7, ebx, 17},     {"avx512cd", 7, ebx, 28},
    {"sha", 7, ebx, 29},          {"avx512bw", 7, ebx, 30},
    {"avx512vl", 7, ebx, 31},     {"avx512vbmi", 7, ecx, 1},
    {"gfni", 7, ecx, 8},          {"vaes", 7, ecx, 9},
    {"vpclmul", 7, ecx, 10},      {"fsrm", 7, edx, 4},
    {"lahf", 0x80000001, ecx, 0}, {"lzcnt", 0x80000001, ecx, 5},
    {"xop", 0x80000001, ecx, 11}, {"fma4", 0x80000001, ecx, 16},
};

}  // namespace

std::string processor_features() {
    std::string text;
    for (const Feature& feature : features) {
        std::array<unsigned, 4> registers{};
        if (__get_cpuid_count(feature.leaf, 0, &registers[eax], &registers[ebx], &registers[ecx], &registers[edx]) == 0)
            continue;
        if ((registers[feature.place] >> feature.bit & 1) != 0)
            text += (text.empty() ? "" : " ") + std::string(feature.name);
    }
    return text;
}

}  // namespace raddle
