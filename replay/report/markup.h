// Writes HTML and XML element by element. It escapes every text. Tags and attribute names are `const char*` literals of
// ours and pass unchanged.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace raddle {

// Safe between tags and inside quotes. Control characters, invalid UTF-8, and characters that reverse the direction of
// writing (and could disguise a text) become U+FFFD.
std::string escaped(const std::string& text);

class Markup {
public:
    using Attributes = std::vector<std::pair<const char*, std::string>>;

    void open(const char* tag, const Attributes& attributes = {});
    void close();  // closes the innermost open element
    void text(const std::string& text) { out_ += escaped(text); }
    // An element that contains only text.
    void leaf(const char* tag, const Attributes& attributes, const std::string& text);
    // <tag …/>: in HTML only for elements without content.
    void empty(const char* tag, const Attributes& attributes = {});
    void line() { out_ += '\n'; }
    // Unescaped: our own markup, style or script.
    void literal(const char* text) { out_ += text; }

    std::string take() { return std::move(out_); }

private:
    void begin(const char* tag, const Attributes& attributes);

    std::string out_;
    std::vector<const char*> open_;
};

// Closes the element in its destructor.
class Element {
public:
    Element(Markup& markup, const char* tag, const Markup::Attributes& attributes = {}) : markup_(markup) {
        markup_.open(tag, attributes);
    }
    ~Element() { markup_.close(); }
    Element(const Element&) = delete;
    Element& operator=(const Element&) = delete;

private:
    Markup& markup_;
};

}  // namespace raddle
