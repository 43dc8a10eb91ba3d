// Names for addresses in loaded modules: function, file, line, inlined functions, data symbols. It reads the program's
// files through elfutils, and separate debug information by build-id. If something is missing or damaged, an address
// still has module and offset. A path from the target is opened only if it is a regular file.
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
    // The module without a path is the executable. Relative paths start at `directory` (empty: our own).
    Symbols(const std::vector<Module>& modules, const std::string& executable, const std::string& directory);
    ~Symbols();
    Symbols(const Symbols&) = delete;
    Symbols& operator=(const Symbols&) = delete;

    // The frame of an instruction, preceded by inlined frames. Empty outside all modules.
    const Stack& at(std::uint64_t address);

    struct Variable {
        std::string symbol;        // "account_lock", "queue.head"
        std::uint64_t offset = 0;  // from the begin of the symbol
        std::string module;
    };
    Variable variable(std::uint64_t address);

    // The module of an address; null if none.
    const Module* module_of(std::uint64_t address) const;
    Dwfl* dwfl() const { return dwfl_; }

private:
    struct DataSymbol {
        std::uint64_t address = 0, size = 0;
        const char* name = nullptr;
    };
    // Null if no symbol covers the address.
    const DataSymbol* data_symbol_at(Dwfl_Module* module, std::uint64_t address);
    Stack look_up(std::uint64_t address) const;

    std::vector<Module> modules_;
    Dwfl* dwfl_ = nullptr;
    DataNames data_;
    std::map<Dwfl_Module*, std::vector<DataSymbol>> data_symbols_;  // by address
    std::vector<std::pair<std::uint64_t, Stack>> known_;            // sorted by address
};

// "std::vector<int>::size() const" for "_ZNKSt6vectorIiE4sizeEv"; other names stay as they are.
std::string demangled(const char* name);
// Of a function, or of the call of one that was inlined; empty if it has none.
std::string name_of_function(Dwarf_Die* function);

}  // namespace raddle
