#include "supervisor/base/checksum.h"

#include <algorithm>
#include <cstring>

#include "supervisor/base/hash.h"
#include "supervisor/base/text.h"

namespace raddle {

namespace {

std::uint64_t absorbed(Hasher hasher, std::string_view bytes) {
    for (const char byte : bytes) hasher.add(static_cast<std::uint8_t>(byte));
    return hasher.finish().low;
}

}  // namespace

std::uint64_t checksum_of(std::string_view bytes) { return absorbed(Hasher().add(bytes.size()), bytes); }

std::uint64_t checksum_without_size(std::string_view bytes) { return absorbed(Hasher(), bytes); }

std::uint64_t checksum_by_words(std::string_view bytes) {
    Hasher hasher;
    std::size_t at = 0;
    for (; at + sizeof(std::uint64_t) <= bytes.size(); at += sizeof(std::uint64_t)) {
        std::uint64_t word = 0;
        std::memcpy(&word, bytes.data() + at, sizeof word);
        hasher.add(word);
    }
    for (; at < bytes.size(); ++at) hasher.add(static_cast<std::uint8_t>(bytes[at]));
    return hasher.add(bytes.size()).finish().low;
}

std::uint64_t fnv1a(std::string_view bytes) {
    std::uint64_t sum = 0xcbf29ce484222325ULL;
    for (const char byte : bytes) sum = (sum ^ static_cast<std::uint8_t>(byte)) * 0x100000001b3ULL;
    return sum;
}

std::string fingerprint(std::string_view text) {
    Hasher hasher;
    hasher.add(text.size());
    for (std::size_t i = 0; i < text.size(); i += 8) {
        std::uint64_t word = 0;
        for (std::size_t j = i; j < std::min(i + 8, text.size()); ++j)
            word |= static_cast<std::uint64_t>(static_cast<std::uint8_t>(text[j])) << (8 * (j - i));
        hasher.add(word);
    }
    return hexadecimal_digits(hasher.finish().low, 16);
}

}  // namespace raddle
