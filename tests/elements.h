// The elements of HTML or XML that raddle wrote. The parser is as strict as possible: all tags closed in order, all
// attributes in quotes, and no text mistaken for markup.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace raddle::testing {

struct MarkupElement {
    std::string tag;
    std::map<std::string, std::string> attributes;  // still escaped
    std::string text;                               // its own text, still escaped
    std::vector<std::string> children;              // their tags
    std::string parent;

    std::string at(const std::string& name) const { return attributes.contains(name) ? attributes.at(name) : ""; }
    bool has_class(const std::string& name) const {
        return (" " + at("class") + " ").find(" " + name + " ") != std::string::npos;
    }
};

// Throws std::runtime_error that describes the mistake.
std::vector<MarkupElement> elements_of(const std::string& page);

}  // namespace raddle::testing
