// Recognises plain loads and stores that belong to an atomic type: on x86 most memory orders need no special
// instruction. The function around the instruction tells, inlined ones included: members of std::atomic and its parts,
// and Rust's core::sync::atomic.
#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>

#include "supervisor/binary/debuginfo/symbols.h"

namespace raddle {

class AtomicCode {
public:
    AtomicCode(std::string executable, std::string directory)
        : executable_(std::move(executable)), directory_(std::move(directory)) {}

    // The callback of RaceWatch. The first call reads the files.
    bool contains(std::uint64_t site, const Modules& modules);

private:
    const std::string executable_, directory_;
    std::mutex lock_;
    std::unique_ptr<Symbols> symbols_;
    std::unordered_map<std::uint64_t, bool> known_;
};

}  // namespace raddle
