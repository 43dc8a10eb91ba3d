// Texts as exec takes them: pointers, with a null pointer behind the last. They stay valid as long as the texts do.
#pragma once

#include <string>
#include <vector>

namespace raddle {

inline std::vector<char*> pointers_to(const std::vector<std::string>& texts) {
    std::vector<char*> pointers;
    for (const std::string& text : texts) pointers.push_back(const_cast<char*>(text.c_str()));
    pointers.push_back(nullptr);
    return pointers;
}

}  // namespace raddle
