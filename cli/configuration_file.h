// Reads raddle.toml. The file is TOML 1.0 (https://toml.io) and toml++ parses it; options take text, whole numbers,
// true or false, and lists of text. Each setting keeps its position in the file, so that every error can name it.
#pragma once

#include <string>
#include <vector>

#include "supervisor/base/error.h"

namespace raddle::cli {

// "raddle.toml:3:7: expected …", always one line.
class ConfigurationError : public BadInput {
public:
    using BadInput::BadInput;
};

struct FilePosition {
    std::string file;
    unsigned line = 1;
    unsigned column = 1;
};
[[noreturn]] void refuse_at(const FilePosition& position, const std::string& message);

struct WrittenValue {
    enum class Kind { text, number, truth, list };
    Kind kind = Kind::text;
    std::string text;  // decimal digits for numbers, "true" or "false" for truths; empty for lists
    std::vector<std::string> list;
    FilePosition position;
};

struct WrittenSetting {
    std::string key;
    WrittenValue value;
    FilePosition position;  // of the key
};

struct Profile {
    std::string name;
    std::vector<WrittenSetting> settings;
};

// Both lists are in the order of the file.
struct ConfigurationFile {
    std::vector<WrittenSetting> settings;
    std::vector<Profile> profiles;
};

// Throws ConfigurationError. `file` is only a name, for messages.
ConfigurationFile read_configuration_file(const std::string& text, const std::string& file);

}  // namespace raddle::cli
