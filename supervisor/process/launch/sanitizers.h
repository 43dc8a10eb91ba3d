// What the supervisor does for programs that were built with a sanitizer: it refuses those whose runtime cannot work
// under raddle, and sets the options of the others.
#pragma once

#include <string>
#include <vector>

#include "supervisor/binary/decode/elf_code.h"

namespace raddle {

// Why a program built like this can never be controlled; empty if it can.
std::string sanitizer_obstacle(const code::ElfCode& elf);
// What is different for such a program, for people; empty if nothing is.
std::vector<std::string> sanitizer_remarks(const code::ElfCode& elf);
// What its sanitizer would look for natively, and does not under raddle; empty: nothing.
std::string unchecked_by_sanitizer(const std::string& executable);
// Puts the options that raddle needs into the environment of the program, together with the user's.
void set_sanitizer_options(const code::ElfCode& elf, std::vector<std::string>& environment);

}  // namespace raddle
