// Two unwinders for one stack: raddle's own (elfutils, by the files of the program) and libunwind, which unwinds the
// recorded stack remotely, through accessors. They have to agree on every stack of every program.
#include <elf.h>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <random>

#include "supervisor/binary/debuginfo/frame_walk.h"
#include "supervisor/binary/debuginfo/unwind.h"
#include "supervisor/process/channel/read_stacks.h"
#include "supervisor/process/launch/launch.h"
#include "tests/process/programs.h"

namespace raddle::testing {
namespace {

// The files of a program as its memory would hold them, and a recorded stack above.
class RecordedMemory {
public:
    RecordedMemory(const Modules& modules, const std::string& executable) {
        for (const Module& module : modules) add(module, module.path.empty() ? executable : module.path);
    }
    ~RecordedMemory() {
        for (const Segment& segment : segments_) ::close(segment.file);
    }
    RecordedMemory(const RecordedMemory&) = delete;
    RecordedMemory& operator=(const RecordedMemory&) = delete;

    const std::vector<MappedCode>& code() const { return code_; }
    bool read(const StackSnapshot& stack, std::uint64_t address, std::uint64_t& word) const {
        const std::uint64_t offset = address - stack.registers[7];
        if (stack.memory.size() >= sizeof word && offset <= stack.memory.size() - sizeof word) {
            std::memcpy(&word, stack.memory.data() + offset, sizeof word);
            return true;
        }
        for (const Segment& segment : segments_)
            if (address - segment.begin < segment.bytes)
                return ::pread(segment.file, &word, sizeof word,
                               static_cast<off_t>(segment.offset + address - segment.begin)) == sizeof word;
        return false;
    }

private:
    struct Segment {
        int file;
        std::uint64_t begin, bytes, offset;
    };
    void add(const Module& module, const std::string& path) {
        const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
        Elf64_Ehdr header{};
        if (file < 0 || ::pread(file, &header, sizeof header, 0) != sizeof header) return;
        MappedCode code{~std::uint64_t{0}, 0, 0};
        for (int i = 0; i < header.e_phnum; ++i) {
            Elf64_Phdr part{};
            ASSERT_EQ(::pread(file, &part, sizeof part,
                              static_cast<off_t>(header.e_phoff + static_cast<std::uint64_t>(i) * sizeof part)),
                      static_cast<ssize_t>(sizeof part));
            if (part.p_type == PT_GNU_EH_FRAME) code.unwind_table = module.base + part.p_vaddr;
            if (part.p_type != PT_LOAD) continue;
            segments_.push_back({::dup(file), module.base + part.p_vaddr, part.p_filesz, part.p_offset});
            code.begin = std::min(code.begin, module.base + part.p_vaddr);
            code.end = std::max(code.end, module.base + part.p_vaddr + part.p_memsz);
        }
        ::close(file);
        code_.push_back(code);
    }

    std::vector<Segment> segments_;
    std::vector<MappedCode> code_;
};

const char* const nested_calls = R"(
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int compare(const void* a, const void* b) {
    pthread_mutex_lock(&m);
    pthread_mutex_unlock(&m);
    return *(const int*)a - *(const int*)b;
}
__attribute__((noinline)) int deeper(int n, char* room) {
    char more[64 + 16 * n];
    memset(more, n, sizeof more);
    if (n > 0) return deeper(n - 1, more) + more[n] + room[0];
    int numbers[] = {3, 1, 2};
    qsort(numbers, 3, sizeof *numbers, compare);
    return numbers[0] + room[1];
}
static void* body(void* p) { char room[8] = {0}; deeper(6, room); return p; }
int main(void) { pthread_t t; pthread_create(&t, 0, body, 0); pthread_join(t, 0); return 0; }
)";
const char* const exceptions = R"(
#include <mutex>
#include <stdexcept>
#include <thread>
#include <vector>
static std::mutex m;
struct Guard { ~Guard() { std::lock_guard<std::mutex> hold(m); } };
__attribute__((noinline)) int thrower(int n) { Guard guard; if (n == 0) throw std::runtime_error("done"); return thrower(n - 1) + 1; }
int main() {
    std::thread t([] { try { thrower(4); } catch (const std::exception&) { std::lock_guard<std::mutex> hold(m); } });
    t.join();
}
)";

void both_agree_on(const std::string& path) {
    ProcessOptions options = running(path);
    options.take_stacks = true;
    options.restore = Restore::never;
    options.shim = default_shim();
    ProcessTarget target(options);
    ASSERT_EQ(target.run(run_on()).verdict, Verdict::ok) << path;
    Symbols symbols(target.modules(), path, "");
    Unwinder ours(symbols, options.shim);
    const RecordedMemory memory(target.modules(), path);
    const TakenStacks taken = read_stacks(*target.stacks());
    ASSERT_FALSE(taken.stacks.empty());
    std::size_t deepest = 0;
    for (const TakenStack& one : taken.stacks) {
        const std::vector<std::uint64_t> frames =
            walk_frames(one.snapshot.registers, memory.code(), [&](std::uint64_t address, std::uint64_t& word) {
                return memory.read(one.snapshot, address, word);
            }).instructions;
        const Stack theirs = named_stack(symbols, frames, options.shim);
        ASSERT_EQ(theirs, ours.stack_of(one.snapshot)) << path << ", snapshot " << one.number;
        deepest = std::max(deepest, theirs.size());
    }
    EXPECT_GE(deepest, 2u) << path;
}

TEST(FrameWalk, LibunwindAndOurUnwinderAgreeOnEveryRecordedStack) {
    for (const char* flags : {"-O0 -g", "-O2 -g", "-O2 -g -fno-omit-frame-pointer", "-O1 -g0 -s"})
        both_agree_on(program(nested_calls, flags));
    both_agree_on(cxx_program(exceptions));
}

// Whatever a target's memory says, the walk ends, and reads through the accessor only.
TEST(FrameWalk, DamagedMemoryEndsTheWalk) {
    std::mt19937_64 random(7);
    for (int round = 0; round < 2000; ++round) {
        Registers registers{};
        for (std::uint64_t& one : registers) one = random() % 3 == 0 ? random() : 0x1000 + random() % 0x10000;
        registers[16] = 0x1000 + random() % 0x8000;
        const std::uint64_t seed = random();
        std::size_t reads = 0;
        const std::vector<MappedCode> code = {{0x1000, 0x20000, round % 2 == 0 ? 0x1000 : 0x1800 + random() % 0x100}};
        const std::vector<std::uint64_t> frames =
            walk_frames(registers, code, [&](std::uint64_t address, std::uint64_t& word) {
                ++reads;
                if (address < 0x1000 || address >= 0x20000) return false;
                // A header that looks right, and a table of nonsense behind it.
                word = address == 0x1000   ? 0x000001f43b031b01ULL
                       : address == 0x1008 ? 0x00000000000fffffULL
                                           : mix64(seed ^ address) % (round % 3 == 0 ? 0x10000 : ~0ULL);
                return true;
            }).instructions;
        EXPECT_GE(frames.size(), 1u);
        EXPECT_LE(frames.size(), 100u);
        EXPECT_LE(reads, 500'000u);
    }
}

}  // namespace
}  // namespace raddle::testing
