// HTML and XML, written element by element. Whatever comes as text is escaped; only what is a literal of ours gets
// through as it is, which is why tags and names of attributes are `const char*`.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace raddle {

// Safe between tags and in quotes. Control characters, bytes that are no UTF-8, and characters that turn the direction of
// writing (and so could make a text look like another) become U+FFFD.
std::string escaped(const std::string& text);

class Markup {
public:
    using Attributes = std::vector<std::pair<const char*, std::string>>;

    void open(const char* tag, const Attributes& attributes = {});
    void close();  // the innermost that is open
    void text(const std::string& text) { out_ += escaped(text); }
    // An element with nothing but text in it.
    void leaf(const char* tag, const Attributes& attributes, const std::string& text);
    // <tag …/>: of HTML only for elements that cannot have content.
    void empty(const char* tag, const Attributes& attributes = {});
    void line() { out_ += '\n'; }
    // As it stands: markup, style or script of ours.
    void literal(const char* text) { out_ += text; }

    std::string take() { return std::move(out_); }

private:
    void begin(const char* tag, const Attributes& attributes);

    std::string out_;
    std::vector<const char*> open_;
};

// Closes what it opened.
class Element {
public:
    Element(Markup& markup, const char* tag, const Markup::Attributes& attributes = {}) : markup_(markup) { markup_.open(tag, attributes); }
    ~Element() { markup_.close(); }
    Element(const Element&) = delete;
    Element& operator=(const Element&) = delete;

private:
    Markup& markup_;
};

}  // namespace raddle
