#include "preload/memory/calls/formats.h"

#include <cstddef>

namespace raddle::memory::formats {

namespace {

// The way in which an argument was passed. All integers and pointers take one word.
enum class Passed : std::uint8_t { nothing, word, real, long_real };

enum class Length : std::uint8_t { none, hh, h, l, ll, upper_l, j, z, t };
std::uint64_t bytes_of(Length length) {
    switch (length) {
        case Length::hh: return 1;
        case Length::h: return 2;
        case Length::none: return 4;
        default: return 8;
    }
}

// A number that stands in the format, or comes from an argument.
struct Number {
    bool is_given = false;
    std::uint32_t argument = 0;  // counted from 1; 0: `value` stands in the format
    std::uint64_t value = 0;
};

struct Conversion {
    std::uint32_t argument = 0;  // counted from 1; 0: it has none
    Target target{};
    std::uint64_t limit = no_limit;
    Number precision;
    bool is_written = false, counts = false;
    std::uint8_t assignments = 0;
};

template <typename Character>
class Reader {
public:
    explicit Reader(const Character* format) : at_(format) {}

    bool find_conversion() {
        while (*at_ != 0) {
            if (*at_ != '%') {
                ++at_;
                continue;
            }
            ++at_;
            if (*at_ == '%') {
                ++at_;
                continue;
            }
            return *at_ != 0;
        }
        return false;
    }

    bool take(char wanted) {
        if (*at_ != static_cast<Character>(wanted)) return false;
        ++at_;
        return true;
    }
    bool take_one_of(const char* wanted) {
        for (; *wanted != 0; ++wanted)
            if (take(*wanted)) return true;
        return false;
    }
    bool is_digit() const { return *at_ >= '0' && *at_ <= '9'; }
    std::uint64_t number() {
        constexpr std::uint64_t most = 1u << 31;
        std::uint64_t value = 0;
        for (; is_digit(); ++at_)
            if (value < most) value = value * 10 + static_cast<std::uint64_t>(*at_ - '0');
        return value;
    }
    // "3$": the number of an argument. 0 if none stands here.
    std::uint32_t position() {
        const Character* const begin = at_;
        const std::uint64_t value = is_digit() ? number() : 0;
        if (value > 0 && take('$'))
            return value <= most_arguments ? static_cast<std::uint32_t>(value) : most_arguments + 1;
        at_ = begin;
        return 0;
    }
    Length length() {
        if (take('h')) return take('h') ? Length::hh : Length::h;
        if (take('l')) return take('l') ? Length::ll : Length::l;
        if (take('q')) return Length::ll;
        if (take('L')) return Length::upper_l;
        if (take('j')) return Length::j;
        if (take('z') || take('Z')) return Length::z;
        return take('t') ? Length::t : Length::none;
    }
    char letter() {
        const Character here = *at_;
        if (here != 0) ++at_;
        return here > 0 && here < 128 ? static_cast<char>(here) : '?';
    }
    void skip_set() {
        take('^');
        take(']');
        while (*at_ != 0 && *at_ != ']') ++at_;
        take(']');
    }

private:
    const Character* at_;
};

bool is_one_of(char letter, const char* letters) {
    for (; *letters != 0; ++letters)
        if (*letters == letter) return true;
    return false;
}

// The conversions of a format, and the way in which each argument was passed.
class Conversions {
public:
    template <typename Character>
    void read_printed(const Character* format) {
        Reader<Character> reader(format);
        while (reader.find_conversion() && complete_) {
            const std::uint32_t position = reader.position();
            while (reader.take_one_of("-+ #0'I")) continue;
            if (const Number width = number_or_argument(reader); width.argument != 0)
                passed(width.argument, Passed::word);
            Number precision;
            if (reader.take('.')) {
                precision = number_or_argument(reader);
                precision.is_given = true;
                if (precision.argument != 0) passed(precision.argument, Passed::word);
            }
            const Length length = reader.length();
            printed(reader.letter(), length, position, precision);
        }
    }

    template <typename Character>
    void read_scanned(const Character* format) {
        Reader<Character> reader(format);
        std::uint8_t assignments = 0;
        while (reader.find_conversion() && complete_) {
            const std::uint32_t position = reader.position();
            bool dropped = false, allocates = false;
            for (;;) {
                if (reader.take('*'))
                    dropped = true;
                else if (reader.take('m'))
                    allocates = true;
                else if (!reader.take('\'') && !reader.take('I'))
                    break;
            }
            Number width;
            width.is_given = reader.is_digit();
            if (width.is_given) width.value = reader.number();
            if (reader.take('m')) allocates = true;
            const Length length = reader.length();
            const char letter = reader.letter();
            if (letter == '[') reader.skip_set();
            if (letter == '%' || dropped) continue;
            Conversion& added = add(position, Passed::word);
            added.is_written = true;
            added.counts = letter != 'n';
            added.assignments = assignments;
            if (added.counts && assignments < most_arguments) ++assignments;
            scanned(added, letter, length, width, allocates);
        }
    }

    void resolve(va_list list, Uses& uses) {
        std::uint64_t words[most_arguments + 1] = {};
        for (std::uint32_t i = 1; i <= last_; ++i) {
            switch (kinds_[i]) {
                case Passed::nothing:  // glibc takes it for an int
                case Passed::word: words[i] = va_arg(list, std::uint64_t); break;
                case Passed::real: va_arg(list, double); break;
                case Passed::long_real: va_arg(list, long double); break;
            }
        }
        uses.is_complete = complete_;
        for (std::uint32_t i = 0; i < count_; ++i) {
            const Conversion& row = rows_[i];
            if (words[row.argument] == 0) continue;
            std::uint64_t limit = row.limit;
            if (row.precision.is_given) {
                const auto given = static_cast<std::int32_t>(row.precision.argument != 0 ? words[row.precision.argument]
                                                                                         : row.precision.value);
                if (given >= 0) limit = static_cast<std::uint64_t>(given);
            }
            uses.row[uses.count++] = {words[row.argument], limit,      row.target,
                                      row.is_written,      row.counts, row.assignments};
        }
    }

private:
    template <typename Character>
    Number number_or_argument(Reader<Character>& reader) {
        Number number;
        if (reader.take('*')) {
            number.is_given = true;
            const std::uint32_t position = reader.position();
            number.argument = position != 0 ? position : ++next_;
        } else if (reader.is_digit()) {
            number.is_given = true;
            number.value = reader.number();
        }
        return number;
    }

    void passed(std::uint32_t argument, Passed how) {
        if (argument > most_arguments) {
            complete_ = false;
            return;
        }
        kinds_[argument] = how;
        if (argument > last_) last_ = argument;
    }

    Conversion& add(std::uint32_t position, Passed how) {
        const std::uint32_t argument = position != 0 ? position : ++next_;
        passed(argument, how);
        if (argument > most_arguments || count_ == most_arguments) {
            complete_ = false;
            return spare_ = {};
        }
        Conversion& added = rows_[count_++] = {};
        added.argument = argument;
        return added;
    }

    void printed(char letter, Length length, std::uint32_t position, const Number& precision) {
        if (letter == 'm' || letter == '%') return;  // m: the text of errno
        if (is_one_of(letter, "aAeEfFgG"))
            return passed(position != 0 ? position : ++next_,
                          length == Length::upper_l ? Passed::long_real : Passed::real);
        if (is_one_of(letter, "dioubBxXcCp")) return passed(position != 0 ? position : ++next_, Passed::word);
        if (letter == 's' || letter == 'S') {
            Conversion& added = add(position, Passed::word);
            added.target = letter == 'S' || length == Length::l ? Target::wide_text : Target::text;
            added.precision = precision;
        } else if (letter == 'n') {
            Conversion& added = add(position, Passed::word);
            added.target = Target::bytes;
            added.limit = bytes_of(length);
            added.is_written = true;
        } else {
            complete_ = false;  // a conversion of the program's own (register_printf_function), or nonsense
        }
    }

    void scanned(Conversion& added, char letter, Length length, const Number& width, bool allocates) {
        const bool is_wide = length == Length::l || is_one_of(letter, "SC");
        if (allocates) {
            added.target = Target::bytes;
            added.limit = sizeof(char*);
        } else if (is_one_of(letter, "sS[")) {
            added.target = is_wide ? Target::wide_text : Target::text;
            added.limit = width.is_given ? width.value : no_limit;
        } else if (is_one_of(letter, "cC")) {
            added.target = Target::characters;
            added.limit = (width.is_given && width.value != 0 ? width.value : 1) * (is_wide ? sizeof(wchar_t) : 1);
        } else if (is_one_of(letter, "aAeEfFgG")) {
            added.target = Target::bytes;
            added.limit = length == Length::upper_l ? 10 : length == Length::l ? sizeof(double) : sizeof(float);
        } else if (is_one_of(letter, "dioubBxXnp")) {
            added.target = Target::bytes;
            added.limit = letter == 'p' ? sizeof(void*) : bytes_of(length);
        } else {
            complete_ = false;
            if (&added != &spare_) --count_;
        }
    }

    Conversion rows_[most_arguments], spare_;
    Passed kinds_[most_arguments + 1] = {};
    std::uint32_t count_ = 0, next_ = 0, last_ = 0;
    bool complete_ = true;
};

}  // namespace

template <typename Character>
void find_printed(const Character* format, va_list list, Uses& uses) {
    Conversions conversions;
    conversions.read_printed(format);
    conversions.resolve(list, uses);
}
template <typename Character>
void find_scanned(const Character* format, va_list list, Uses& uses) {
    Conversions conversions;
    conversions.read_scanned(format);
    conversions.resolve(list, uses);
}
template void find_printed(const char*, va_list, Uses&);
template void find_printed(const wchar_t*, va_list, Uses&);
template void find_scanned(const char*, va_list, Uses&);
template void find_scanned(const wchar_t*, va_list, Uses&);

}  // namespace raddle::memory::formats
