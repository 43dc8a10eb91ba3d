// Writing values to bytes and reading them back, never beyond the end. Numbers take as many bytes as they need.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "supervisor/base/error.h"

namespace raddle {

class Writer {
public:
    void number(std::uint64_t value) {
        while (value >= 0x80) {
            bytes_.push_back(static_cast<char>(value | 0x80));
            value >>= 7;
        }
        bytes_.push_back(static_cast<char>(value));
    }
    void signed_number(std::int64_t value) {
        number(static_cast<std::uint64_t>(value) << 1 ^ static_cast<std::uint64_t>(value >> 63));
    }
    void fixed64(std::uint64_t value) {
        char bytes[8];
        for (int i = 0; i < 8; ++i) bytes[i] = static_cast<char>(value >> (8 * i));
        bytes_.append(bytes, sizeof bytes);
    }
    void fixed32(std::uint32_t value) {
        char bytes[4];
        for (int i = 0; i < 4; ++i) bytes[i] = static_cast<char>(value >> (8 * i));
        bytes_.append(bytes, sizeof bytes);
    }
    void text(std::string_view value) {
        number(value.size());
        bytes_.append(value);
    }
    const std::string& bytes() const { return bytes_; }
    std::string take() { return std::move(bytes_); }

private:
    std::string bytes_;
};

class Reader {
public:
    explicit Reader(std::string_view bytes) : bytes_(bytes) {}

    std::uint64_t number() {
        std::uint64_t value = 0;
        for (int shift = 0; shift < 64; shift += 7) {
            const auto byte = static_cast<std::uint8_t>(next());
            value |= static_cast<std::uint64_t>(byte & 0x7f) << shift;
            if (byte < 0x80) return value;
        }
        throw BadInput("saved state is damaged: a number without an end");
    }
    std::uint64_t number_below(std::uint64_t limit, const char* what) {
        const std::uint64_t value = number();
        if (value >= limit) throw BadInput(std::string("saved state is damaged: ") + what + " out of range");
        return value;
    }
    // A count of things that each take at least one byte: bounded by what is left.
    std::size_t count(const char* what) {
        const std::uint64_t value = number();
        if (value > bytes_.size() - at_)
            throw BadInput(std::string("saved state is damaged: ") + what + " out of range");
        return static_cast<std::size_t>(value);
    }
    std::int64_t signed_number() {
        const std::uint64_t value = number();
        return static_cast<std::int64_t>(value >> 1) ^ -static_cast<std::int64_t>(value & 1);
    }
    std::uint64_t fixed64() {
        std::uint64_t value = 0;
        for (int i = 0; i < 8; ++i) value |= static_cast<std::uint64_t>(static_cast<std::uint8_t>(next())) << (8 * i);
        return value;
    }
    std::uint32_t fixed32() {
        std::uint32_t value = 0;
        for (int i = 0; i < 4; ++i) value |= static_cast<std::uint32_t>(static_cast<std::uint8_t>(next())) << (8 * i);
        return value;
    }
    std::string text() {
        const std::size_t size = count("length of a text");
        std::string value(bytes_.substr(at_, size));
        at_ += size;
        return value;
    }
    bool at_end() const { return at_ == bytes_.size(); }
    void expect_end() const {
        if (!at_end()) throw BadInput("saved state is damaged: more bytes than expected");
    }

private:
    char next() {
        if (at_ == bytes_.size()) throw BadInput("saved state is damaged: it ends too early");
        return bytes_[at_++];
    }
    std::string_view bytes_;
    std::size_t at_ = 0;
};

}  // namespace raddle
