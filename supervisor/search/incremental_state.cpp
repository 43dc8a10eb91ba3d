#include "supervisor/search/incremental_state.h"

#include <algorithm>
#include <cstring>

#include "supervisor/base/checksum.h"

namespace raddle {

namespace {

// Stored on disk: counts the changes of a piece's format.
constexpr std::uint64_t format_version = 3;
constexpr std::size_t seal_size = 16;

}  // namespace

std::string sealed(std::string_view piece) {
    Writer seal;
    seal.fixed64(format_version);
    seal.fixed64(checksum_by_words(piece));
    std::string bytes = seal.take();
    bytes.append(piece);
    return bytes;
}

std::string_view unsealed(std::string_view bytes) {
    if (bytes.size() < seal_size) throw BadInput("saved search state: a piece ends too early");
    Reader seal(bytes);
    if (const std::uint64_t version = seal.fixed64(); version != format_version)
        throw BadInput("saved search state: a piece is of format " + std::to_string(version) +
                       ", this program reads format " + std::to_string(format_version));
    const std::string_view piece = bytes.substr(seal_size);
    if (seal.fixed64() != checksum_by_words(piece))
        throw BadInput("saved search state: a piece is damaged: its checksum is another");
    return piece;
}

void save_numbered(Writer& out, std::vector<NumberedHash>& hashes) {
    std::sort(hashes.begin(), hashes.end(), [](const NumberedHash& a, const NumberedHash& b) { return a.low < b.low; });
    out.number(hashes.size());
    std::uint64_t before = 0;
    for (const NumberedHash& hash : hashes) {
        out.number(hash.low - before);
        out.fixed32(hash.high);
        out.number(hash.number);
        before = hash.low;
    }
}

std::vector<NumberedHash> load_numbered(Reader& in, std::uint64_t limit) {
    std::vector<NumberedHash> hashes(in.count("number of hashes"));
    std::uint64_t before = 0;
    for (NumberedHash& hash : hashes) {
        before += in.number();
        hash.low = before;
        hash.high = in.fixed32();
        hash.number = static_cast<std::uint32_t>(in.number_below(limit, "what a hash stands for"));
        if (hash.low == 0 && hash.high == 0) throw BadInput("saved state is damaged: a hash of nothing");
    }
    return hashes;
}

}  // namespace raddle
