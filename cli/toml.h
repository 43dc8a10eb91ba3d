// The part of TOML that a configuration needs: tables, and in them strings, whole numbers, true and false, and lists of
// strings. What goes beyond it is refused with line and column, as what is wrong is.
#pragma once

#include <string>
#include <vector>

#include "supervisor/base/error.h"

namespace raddle::cli {

// "raddle.toml:3:7: expected …"
class TomlError : public BadInput {
public:
    using BadInput::BadInput;
};

struct TomlPlace {
    std::string file;
    int line = 1;
    int column = 1;
};
[[noreturn]] void refuse_at(const TomlPlace& place, const std::string& what);

struct TomlValue {
    enum class Kind { text, number, truth, list };
    Kind kind = Kind::text;
    std::string text;               // of all but lists; numbers and truths as TOML writes them, without underscores
    std::vector<std::string> list;
    TomlPlace place;
};

struct TomlEntry {
    std::string key;
    TomlValue value;
    TomlPlace place;  // of the key
};

struct TomlTable {
    std::vector<std::string> name;  // of [profile.ci]: profile, ci; empty for what stands before the first table
    std::vector<TomlEntry> entries;
    TomlPlace place;
};

// Throws TomlError. No table and no key of a table comes twice.
std::vector<TomlTable> read_toml(const std::string& text, const std::string& file);

}  // namespace raddle::cli
