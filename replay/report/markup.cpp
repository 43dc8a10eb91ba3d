#include "replay/report/markup.h"

#include <cstdint>

#include "supervisor/base/error.h"

namespace raddle {

namespace {

constexpr const char* replacement = "\xef\xbf\xbd";

struct Character {
    std::uint32_t code = 0;
    std::size_t bytes = 0;  // 0: no valid sequence
};

Character character_at(const std::string& text, std::size_t at) {
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    const unsigned char first = byte(at);
    if (first < 0x80) return {first, 1};
    const std::size_t bytes = first >= 0xf0 && first < 0xf5 ? 4 : first >= 0xe0 ? 3 : 2;
    if (first < 0xc2 || first >= 0xf5 || at + bytes > text.size()) return {};
    std::uint32_t code = first & (0xffu >> (bytes + 1));
    for (std::size_t i = 1; i < bytes; ++i) {
        if ((byte(at + i) & 0xc0) != 0x80) return {};
        code = code << 6 | (byte(at + i) & 0x3fu);
    }
    constexpr std::uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    const bool is_surrogate = code >= 0xd800 && code < 0xe000;
    return code < least[bytes] || code > 0x10ffff || is_surrogate ? Character{} : Character{code, bytes};
}

bool is_fit_to_print(std::uint32_t code) {
    if (code == '\n' || code == '\t') return true;
    if (code < 0x20 || (code >= 0x7f && code < 0xa0)) return false;
    const bool turns_direction =
        code == 0x200e || code == 0x200f || (code >= 0x202a && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069);
    return !turns_direction && (code & 0xfffe) != 0xfffe;
}

}  // namespace

std::string escaped(const std::string& text) {
    std::string safe;
    for (std::size_t at = 0; at < text.size();) {
        const Character one = character_at(text, at);
        switch (one.code) {
            case '&': safe += "&amp;"; break;
            case '<': safe += "&lt;"; break;
            case '>': safe += "&gt;"; break;
            case '"': safe += "&quot;"; break;
            case '\'': safe += "&#39;"; break;
            default:
                if (one.bytes > 0 && is_fit_to_print(one.code))
                    safe.append(text, at, one.bytes);
                else
                    safe += replacement;
        }
        at += one.bytes > 0 ? one.bytes : 1;
    }
    return safe;
}

void Markup::begin(const char* tag, const Attributes& attributes) {
    out_ += std::string("<") + tag;
    for (const auto& [name, value] : attributes) out_ += std::string(" ") + name + "=\"" + escaped(value) + "\"";
}

void Markup::open(const char* tag, const Attributes& attributes) {
    begin(tag, attributes);
    out_ += '>';
    open_.push_back(tag);
}

void Markup::close() {
    CHECK(!open_.empty());
    out_ += std::string("</") + open_.back() + ">";
    open_.pop_back();
}

void Markup::leaf(const char* tag, const Attributes& attributes, const std::string& content) {
    open(tag, attributes);
    text(content);
    close();
}

void Markup::empty(const char* tag, const Attributes& attributes) {
    begin(tag, attributes);
    out_ += "/>";
}

}  // namespace raddle
