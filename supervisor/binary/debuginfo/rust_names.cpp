#include "supervisor/binary/debuginfo/rust_names.h"

#include <cctype>
#include <cstdint>
#include <utility>

namespace raddle {

namespace {

// A reader of the grammar of RFC 2603. It goes through types and constants without keeping them, and gives up where
// references within the name lead deeper than any name of a compiler does.
class PathReader {
public:
    explicit PathReader(std::string_view text) : text_(text) {}

    std::optional<std::string> read() {
        std::string name = path();
        if (failed_ || name.empty()) return std::nullopt;
        return name;
    }

private:
    static constexpr int deepest = 64;
    static constexpr std::size_t longest = 512;
    static constexpr int most_steps = 4096;
    static constexpr const char* basic_types[26] = {
        "i8",   "bool", "char", "f64", "str", "f32", "?",   "u8", "isize", "usize", "?",   "i32", "u32",
        "i128", "u128", "_",    "?",   "?",   "i16", "u16", "()", "...",   "?",     "i64", "u64", "!"};

    char peek() const { return !failed_ && at_ < text_.size() ? text_[at_] : '\0'; }
    bool takes(char wanted) {
        if (peek() != wanted) return false;
        ++at_;
        return true;
    }
    char next() {
        if (at_ == text_.size()) failed_ = true;
        return failed_ ? '\0' : text_[at_++];
    }

    // "_" is 0, "0_" is 1, ... Hashes are larger than can be held, and nobody asks for them.
    std::uint64_t number_of_62() {
        if (takes('_')) return 0;
        std::uint64_t value = 0;
        while (!failed_ && !takes('_')) {
            const char c = next();
            const int digit = c >= '0' && c <= '9'   ? c - '0'
                              : c >= 'a' && c <= 'z' ? c - 'a' + 10
                              : c >= 'A' && c <= 'Z' ? c - 'A' + 36
                                                     : -1;
            if (digit < 0) failed_ = true;
            value = value * 62 + static_cast<std::uint64_t>(digit);
        }
        return value + 1;
    }
    void disambiguator() {
        if (takes('s')) number_of_62();
    }

    std::string identifier() {
        disambiguator();
        return undisambiguated();
    }
    std::string undisambiguated() {
        takes('u');  // of letters beyond ASCII: shown as they are written
        std::size_t bytes = 0;
        if (!takes('0'))
            while (std::isdigit(static_cast<unsigned char>(peek())) != 0 && bytes < longest)
                bytes = bytes * 10 + static_cast<std::size_t>(next() - '0');
        if (bytes > 0) takes('_');
        if (bytes > text_.size() - at_) {
            failed_ = true;
            return {};
        }
        const std::string name(text_.substr(at_, bytes));
        at_ += bytes;
        return name;
    }

    // The text at an earlier place of the name.
    template <typename What>
    std::string again(What what) {
        const std::uint64_t place = number_of_62();
        const std::size_t here = at_;
        if (failed_ || place >= here) {
            failed_ = true;
            return {};
        }
        at_ = static_cast<std::size_t>(place);
        std::string found = what();
        at_ = here;
        return found;
    }

    bool too_much() {
        if (depth_ > deepest || ++steps_ > most_steps) failed_ = true;
        return failed_;
    }

    std::string path() {
        if (too_much()) return {};
        ++depth_;
        std::string name = path_here();
        --depth_;
        if (name.size() > longest) failed_ = true;
        return name;
    }
    std::string path_here() {
        switch (next()) {
            case 'C': return identifier();
            case 'M':
                disambiguator();
                path();  // where the impl stands
                return type();
            case 'X': {
                disambiguator();
                path();
                std::string self = type();
                path();
                return self;
            }
            case 'Y': {
                std::string self = type();
                path();
                return self;
            }
            case 'N': {
                const char space = next();
                const std::string outer = path();
                const std::string name = identifier();
                if (space == 'C') return outer + "::{closure}";
                return name.empty() ? outer : outer + "::" + name;
            }
            case 'I': {
                std::string name = path();
                while (!failed_ && !takes('E')) argument();
                return name;
            }
            case 'B': return again([&] { return path(); });
            default: failed_ = true; return {};
        }
    }

    void argument() {
        if (takes('L'))
            number_of_62();
        else if (takes('K'))
            constant();
        else
            type();
    }

    void constant() {
        if (takes('p')) return;
        if (takes('B')) {
            again([&] { return constant(), std::string(); });
            return;
        }
        type();
        takes('n');
        while (!failed_ && !takes('_')) next();
    }

    // Its name, where it has one.
    std::string type() {
        if (too_much()) return {};
        ++depth_;
        std::string name = type_here();
        --depth_;
        return name;
    }
    std::string type_here() {
        const char kind = peek();
        if (kind >= 'a' && kind <= 'z') {
            next();
            return basic_types[kind - 'a'];
        }
        switch (kind) {
            case 'A':
                next();
                type();
                constant();
                return "[]";
            case 'S':
                next();
                type();
                return "[]";
            case 'T':
                next();
                while (!failed_ && !takes('E')) type();
                return "()";
            case 'R':
            case 'Q':
                next();
                if (takes('L')) number_of_62();
                return type();
            case 'P':
            case 'O': next(); return type();
            case 'F':
                next();
                binder();
                takes('U');
                if (takes('K') && !takes('C')) undisambiguated();
                while (!failed_ && !takes('E')) type();
                type();
                return "fn";
            case 'D':
                next();
                binder();
                while (!failed_ && !takes('E')) {
                    path();
                    while (!failed_ && takes('p')) {
                        undisambiguated();
                        type();
                    }
                }
                if (takes('L')) number_of_62();
                return "dyn";
            case 'B': next(); return again([&] { return type(); });
            default: return path();
        }
    }
    void binder() {
        if (takes('G')) number_of_62();
    }

    std::string_view text_;
    std::size_t at_ = 0;
    int depth_ = 0, steps_ = 0;
    bool failed_ = false;
};

}  // namespace

std::optional<std::string> rust_name(std::string_view mangled) {
    if (!mangled.starts_with("_R")) return std::nullopt;
    return PathReader(mangled.substr(2)).read();
}

std::string plain_rust_name(std::string demangled) {
    constexpr std::size_t part = 19;  // "::h" and 16 digits
    if (demangled.size() <= part || demangled.compare(demangled.size() - part, 3, "::h") != 0) return demangled;
    for (std::size_t i = demangled.size() - part + 3; i < demangled.size(); ++i)
        if (std::isxdigit(static_cast<unsigned char>(demangled[i])) == 0) return demangled;
    demangled.resize(demangled.size() - part);
    // Characters that an identifier of C++ cannot hold, and their spelling there. A part of the path may begin with
    // none of it.
    constexpr std::pair<std::string_view, std::string_view> written[] = {
        {"_$", "$"},    {"$LT$", "<"},  {"$GT$", ">"},  {"$LP$", "("},  {"$RP$", ")"},
        {"$RF$", "&"},  {"$BP$", "*"},  {"$C$", ","},   {"$u20$", " "}, {"$u27$", "'"},
        {"$u5b$", "["}, {"$u5d$", "]"}, {"$u7b$", "{"}, {"$u7d$", "}"}, {"..", "::"},
    };
    for (const auto& [code, plain] : written)
        for (std::size_t at = 0; (at = demangled.find(code, at)) != std::string::npos; at += plain.size())
            demangled.replace(at, code.size(), plain);
    return demangled;
}

}  // namespace raddle
