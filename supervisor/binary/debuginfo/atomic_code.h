// Which plain loads and stores are those of an atomic type: on x86 most orders take no special instruction. Told by the
// function that the instruction is in, or was inlined from: members of std::atomic and what it is made of, and
// Rust's core::sync::atomic.
#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>

#include "supervisor/binary/debuginfo/symbols.h"

namespace raddle {

class AtomicCode {
public:
    AtomicCode(std::string executable, std::string directory) : executable_(std::move(executable)), directory_(std::move(directory)) {}

    // As RaceWatch asks. Files are read when it is asked first.
    bool contains(std::uint64_t site, const Modules& modules);

private:
    const std::string executable_, directory_;
    std::mutex lock_;
    std::unique_ptr<Symbols> symbols_;
    std::unordered_map<std::uint64_t, bool> known_;
};

}  // namespace raddle
