// Names in place of offsets: functions and lines for code, variables for objects.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "replay/schedule/schedule_file.h"
#include "supervisor/binary/debuginfo/symbols.h"

namespace raddle {

class Symbolizer {
public:
    // A file that changed since the record gives no names.
    explicit Symbolizer(const std::vector<ProgramFile>& files) : files_(files) {}

    // Text without a name stays unchanged.
    // "mutex_lock prog+0x11f7" becomes "mutex_lock prog!transfer", which is true for other builds, too.
    std::string with_functions(const std::string& place);
    // "mutex_lock transfer (prog.c:12)", for people.
    std::string with_lines(const std::string& text);
    // Static data at "prog+0x4040" is "fork_of[1]"; two objects at once are "a&b". Empty: no name.
    std::string of_object(const std::string& object);
    std::map<std::string, std::string> of_objects(const std::vector<RecordedStep>& steps);

private:
    using Name = std::function<std::string(const std::string& module, const Stack& stack)>;
    std::string with_names(const std::string& text, const Name& name);
    Symbols* symbols_of(const std::string& module);
    // Null if nothing is known there.
    const Stack* stack_at(const std::string& module, std::uint64_t offset);

    const std::vector<ProgramFile> files_;
    std::map<std::string, std::unique_ptr<Symbols>> symbols_;  // null: there are none
};

}  // namespace raddle
