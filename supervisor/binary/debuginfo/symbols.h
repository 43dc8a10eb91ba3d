// From an address in a loaded module to names: function, file, line, what was inlined, data symbols. Reads the
// program's files through elfutils, and their separate debug information by build-id. Whatever is missing or damaged
// there, an address has at least its module and offset. A path named by the target is opened only if it is a file.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "supervisor/binary/debuginfo/data_names.h"
#include "supervisor/trace/evidence.h"
#include "supervisor/trace/modules.h"

namespace raddle {

class Symbols {
public:
    // The module without a path is the executable; relative paths are those of `directory` (empty: ours).
    Symbols(const std::vector<Module>& modules, const std::string& executable, const std::string& directory);
    ~Symbols();
    Symbols(const Symbols&) = delete;
    Symbols& operator=(const Symbols&) = delete;

    // The frame of an instruction, preceded by those inlined there. Empty if it is in no module.
    const Stack& at(std::uint64_t address);

    struct Variable {
        std::string symbol;        // "account_lock", "queue.head"
        std::uint64_t offset = 0;  // in that
        std::string module;
    };
    Variable variable(std::uint64_t address);

    // The module an address is in; null if in none.
    const Module* module_of(std::uint64_t address) const;
    Dwfl* dwfl() const { return dwfl_; }

private:
    struct DataSymbol {
        std::uint64_t address = 0, size = 0;
        const char* name = nullptr;
    };
    // Null if the address is in none.
    const DataSymbol* data_symbol_at(Dwfl_Module* module, std::uint64_t address);
    Stack look_up(std::uint64_t address) const;

    std::vector<Module> modules_;
    Dwfl* dwfl_ = nullptr;
    DataNames data_;
    std::map<Dwfl_Module*, std::vector<DataSymbol>> data_symbols_;  // by address
    std::vector<std::pair<std::uint64_t, Stack>> known_;  // sorted by address
};

// "std::vector<int>::size() const" of "_ZNKSt6vectorIiE4sizeEv"; other names stay as they are.
std::string demangled(const char* name);

}  // namespace raddle
