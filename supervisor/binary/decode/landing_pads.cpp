// The formats: "DWARF Debugging Information Format", "Linux Standard Base Core Specification" (.eh_frame,
// .eh_frame_hdr) and the tables of the Itanium C++ ABI's personality functions. Every read is checked, because files
// may be damaged.
#include "supervisor/binary/decode/landing_pads.h"

#include <cstring>
#include <optional>

namespace raddle::code {

namespace {

constexpr std::uint8_t omitted = 0xff, from_itself = 0x10, indirect = 0x80;

class Cursor {
public:
    Cursor(const ElfCode& elf, std::uint64_t address) : bytes_(elf.loaded_at(address)), address_(address) {}

    bool good() const { return good_; }
    std::uint64_t address() const { return address_ + at_; }
    void skip(std::uint64_t count) {
        if (count > bytes_.size() - at_)
            good_ = false;
        else
            at_ += count;
    }
    template <typename Number>
    Number number() {
        Number value{};
        if (sizeof value > bytes_.size() - at_) {
            good_ = false;
            return value;
        }
        std::memcpy(&value, bytes_.data() + at_, sizeof value);
        at_ += sizeof value;
        return value;
    }
    std::uint64_t leb128() {
        std::uint64_t value = 0;
        for (unsigned shift = 0; shift < 64; shift += 7) {
            const auto byte = number<std::uint8_t>();
            value |= std::uint64_t{byte & 0x7fu} << shift;
            if ((byte & 0x80) == 0) return value;
        }
        good_ = false;
        return 0;
    }
    // A value in one of the encodings of pointers.
    std::uint64_t encoded(std::uint8_t encoding) {
        const std::uint64_t here = address();
        if ((encoding & 0x70) != 0 && (encoding & 0x70) != from_itself) good_ = false;
        const std::uint64_t value = in_format(encoding & 0x0f);
        return (encoding & 0x70) == from_itself && value != 0 ? here + value : value;
    }

private:
    std::uint64_t in_format(unsigned format) {
        switch (format) {
            case 0x0: return number<std::uint64_t>();
            case 0x1: return leb128();
            case 0x2: return number<std::uint16_t>();
            case 0x3: return number<std::uint32_t>();
            case 0xa: return static_cast<std::uint64_t>(std::int64_t{number<std::int16_t>()});
            case 0xb: return static_cast<std::uint64_t>(std::int64_t{number<std::int32_t>()});
            case 0x4:
            case 0xc: return number<std::uint64_t>();
            default: good_ = false; return 0;
        }
    }

    std::span<const std::uint8_t> bytes_;
    std::uint64_t address_, at_ = 0;
    bool good_ = true;
};

// The part of a common information entry that tells how to read its functions' entries.
struct Common {
    std::uint8_t function = 0, table = omitted;  // encodings
    bool has_length = false;
};

std::optional<Common> common_at(const ElfCode& elf, std::uint64_t address) {
    Cursor at(elf, address);
    const auto length = at.number<std::uint32_t>();
    if (length == 0xffffffff || at.number<std::uint32_t>() != 0) return std::nullopt;
    const auto version = at.number<std::uint8_t>();
    char augmentation[8] = {};
    for (unsigned i = 0; i < sizeof augmentation; ++i) {
        augmentation[i] = at.number<char>();
        if (augmentation[i] == 0) break;
        if (i + 1 == sizeof augmentation) return std::nullopt;
    }
    at.leb128();
    at.leb128();
    version == 1 ? static_cast<void>(at.number<std::uint8_t>()) : static_cast<void>(at.leb128());
    Common common;
    for (const char* one = augmentation; *one != 0 && at.good(); ++one) switch (*one) {
            case 'z':
                common.has_length = true;
                at.leb128();
                break;
            case 'R': common.function = at.number<std::uint8_t>(); break;
            case 'L': common.table = at.number<std::uint8_t>(); break;
            case 'P': {
                const auto encoding = at.number<std::uint8_t>();
                at.encoded(static_cast<std::uint8_t>(encoding & ~indirect));
                break;
            }
            case 'S':
            case 'B': break;
            default: return std::nullopt;
        }
    if (!at.good()) return std::nullopt;
    return common;
}

// The landing pads of the table at this address. False if it is in another format.
bool read_table(const ElfCode& elf, std::uint64_t address, std::uint64_t function, std::vector<std::uint64_t>& pads) {
    Cursor at(elf, address);
    std::uint64_t start = function;
    if (const auto encoding = at.number<std::uint8_t>(); encoding != omitted) start = at.encoded(encoding);
    if (at.number<std::uint8_t>() != omitted) at.leb128();
    const auto encoding = at.number<std::uint8_t>();
    const std::uint64_t bytes = at.leb128();
    const std::uint64_t end = at.address() + bytes;
    while (at.good() && at.address() < end) {
        at.encoded(encoding);
        at.encoded(encoding);
        const std::uint64_t pad = at.encoded(encoding);
        at.leb128();
        if (pad != 0) pads.push_back(start + pad);
    }
    return at.good();
}

// The entry of a function in .eh_frame. False if it cannot be read.
bool read_entry(const ElfCode& elf, std::uint64_t address, std::uint64_t function, std::vector<std::uint64_t>& pads) {
    Cursor at(elf, address);
    at.number<std::uint32_t>();
    const std::uint64_t place = at.address();
    const auto common = common_at(elf, place - at.number<std::uint32_t>());
    if (!common) return false;
    if (common->table == omitted) return true;
    at.encoded(common->function);
    at.encoded(common->function & 0x0f);
    if (common->has_length) at.leb128();
    const std::uint64_t table = at.encoded(common->table);
    if (!at.good() || (common->table & indirect) != 0) return false;
    return table == 0 || read_table(elf, table, function, pads);
}

}  // namespace

LandingPads landing_pads_of(const ElfCode& elf) {
    LandingPads found;
    if (elf.unwind_table() == 0) return found;
    Cursor head(elf, elf.unwind_table());
    const auto encodings = head.number<std::uint32_t>();
    constexpr std::uint32_t common_encodings = 0x3b031b01;  // version 1, and as elf_code.cpp wants them
    if (encodings != common_encodings) return found;
    head.number<std::uint32_t>();
    const auto count = head.number<std::uint32_t>();
    found.are_found = head.good();
    for (std::uint32_t i = 0; i < count; ++i) {
        const auto function =
            elf.unwind_table() + static_cast<std::uint64_t>(std::int64_t{head.number<std::int32_t>()});
        const auto entry = elf.unwind_table() + static_cast<std::uint64_t>(std::int64_t{head.number<std::int32_t>()});
        if (!head.good()) break;
        if (!read_entry(elf, entry, function, found.pads)) found.unknown.push_back(function);
    }
    return found;
}

}  // namespace raddle::code
