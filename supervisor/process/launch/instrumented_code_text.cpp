// The visible set as text, and back.
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <sstream>

#include "supervisor/process/launch/instrumented_code.h"

namespace raddle {

namespace {

using memory::Arming;
using memory::FreedBlock;
using memory::JoinedWord;
using memory::SpinState;

[[noreturn]] void refuse(const std::string& what) {
    throw BadInput("--visible: '" + what + "' is not of the form that raddle gives, such as 3,5-9");
}

std::uint64_t number_in(std::string_view text, int base = 10) {
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
    if (error != std::errc() || end != text.data() + text.size()) refuse(std::string(text));
    return value;
}

// The numbers of "word:NUMBER:NUMBER…".
std::vector<std::uint64_t> numbers_of(const std::string& text) {
    std::istringstream in(text);
    std::vector<std::uint64_t> numbers;
    std::string part;
    std::getline(in, part, ':');
    while (std::getline(in, part, ':')) numbers.push_back(number_in(part, 16));
    return numbers;
}

// A path in a list with commas.
std::string escaped(const std::string& path) {
    std::string text;
    for (const char c : path) text += c == ',' ? std::string("%2c") : c == '%' ? "%25" : std::string(1, c);
    return text;
}
std::string unescaped(const std::string& text) {
    std::string path;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const std::string part = text.substr(i, 3);
        path += part == "%2c" ? ',' : part == "%25" ? '%' : text[i];
        if (part == "%2c" || part == "%25") i += 2;
    }
    return path;
}

}  // namespace

std::string InstrumentedCode::text() const {
    const std::lock_guard lock(lock_);
    std::ostringstream out;
    const char* separator = "";
    // First, because the numbers of sites depend on them.
    for (const std::string& library : listing_->found) {
        out << separator << "lib:" << escaped(library);
        separator = ",";
    }
    for (const std::string& library : listing_->followed) {
        out << separator << "met:" << escaped(library);
        separator = ",";
    }
    for (std::size_t site = 0; site < arming_.size();) {
        if (arming_[site] != Arming::visible) {
            ++site;
            continue;
        }
        std::size_t last = site;
        while (last + 1 < arming_.size() && arming_[last + 1] == Arming::visible) ++last;
        out << separator << site;
        if (last > site) out << "-" << last;
        separator = ",";
        site = last + 1;
    }
    for (const std::uint64_t call : calls_) {
        out << separator << "call" << std::hex << call << std::dec;
        separator = ",";
    }
    for (const SpinState& spin : spins_) {
        out << separator << "spin:" << std::hex << spin.site << ":" << spin.state;
        for (const ValueRange& range : spin.spin_values)
            if (range.from <= range.to) out << ":" << range.from << ":" << range.to;
        out << std::dec;
        separator = ",";
    }
    for (const FreedBlock& block : freed_) {
        out << separator << "freed:" << std::hex << block.site << ":" << block.bytes;
        for (std::uint32_t at = 0; at < memory::freed_bytes; ++at)
            if (block.width[at] != 0) out << ":" << ((block.offset + at) << 4 | block.width[at]);
        out << std::dec;
        separator = ",";
    }
    if (stacks_) out << separator << "stacks", separator = ",";
    if (signals_) out << separator << "signals", separator = ",";
    for (const JoinedWord& row : joined_) {
        out << separator << std::hex << row.word.region << ":" << row.word.offset << ":" << unsigned{row.joined}
            << std::dec;
        separator = ",";
    }
    return out.str();
}

// "spin:SITE:STATE:FROM:TO[:FROM:TO]"
void InstrumentedCode::begin_with_spin(const std::string& text) {
    const std::vector<std::uint64_t> numbers = numbers_of(text);
    if (numbers.size() != 4 && numbers.size() != 6) refuse(text);
    SpinState spin{numbers[1], numbers[0], {}};
    for (std::size_t i = 2; i < numbers.size(); i += 2) spin.spin_values[i / 2 - 1] = {numbers[i], numbers[i + 1]};
    spins_.insert(std::lower_bound(spins_.begin(), spins_.end(), spin, memory::comes_before), spin);
}

// "freed:SITE:BYTES:VARIABLE[:VARIABLE...]"; the last digit of a variable is its width, the others its first byte.
void InstrumentedCode::begin_with_freed(const std::string& text) {
    const std::vector<std::uint64_t> numbers = numbers_of(text);
    if (numbers.size() < 3) refuse(text);
    for (std::size_t i = 2; i < numbers.size(); ++i) {
        const std::uint64_t at = numbers[i] >> 4;
        FreedBlock part{numbers[0], numbers[1], at - at % memory::freed_bytes, {}};
        part.width[at % memory::freed_bytes] = static_cast<std::uint8_t>(numbers[i] & 15);
        add_freed(part);
    }
}

// As in the campaign that the text is of: the numbers of sites depend on the order.
void InstrumentedCode::follow_again(const std::string& path) {
    const auto known = std::find_if(listing_->unwatched.begin(), listing_->unwatched.end(),
                                    [&](const CodeListing::UnwatchedLibrary& one) { return one.path == path; });
    if (known == listing_->unwatched.end()) return;
    follow_met(std::uint64_t{1} << (known - listing_->unwatched.begin()));
}

void InstrumentedCode::begin_with(const std::string& text) {
    const std::lock_guard lock(lock_);
    std::istringstream in(text);
    for (std::string one; std::getline(in, one, ',');) {
        if (one.starts_with("lib:")) {
            const std::string path = unescaped(one.substr(4));
            if (::access(path.c_str(), R_OK) != 0)
                throw BadInput(path + ": this library of the program is gone; --visible names it");
            add_found({path});
        } else if (one.starts_with("met:")) {
            follow_again(unescaped(one.substr(4)));
        } else if (one == "stacks") {
            stacks_ = true;
        } else if (one == "signals") {
            signals_ = true;
        } else if (one.starts_with("call")) {
            calls_.insert(number_in(std::string_view(one).substr(4), 16));
        } else if (one.starts_with("freed:")) {
            begin_with_freed(one);
        } else if (one.starts_with("spin:")) {
            begin_with_spin(one);
        } else if (const std::size_t colon = one.find(':'); colon != std::string::npos) {
            const std::size_t second = one.find(':', colon + 1);
            if (second == std::string::npos) refuse(one);
            const std::string_view view = one;
            JoinedWord row{};
            row.word = {number_in(view.substr(0, colon), 16),
                        number_in(view.substr(colon + 1, second - colon - 1), 16)};
            row.joined = static_cast<std::uint8_t>(number_in(view.substr(second + 1), 16));
            add_joined(row);
        } else {
            const std::size_t dash = one.find('-');
            const std::uint64_t first = number_in(std::string_view(one).substr(0, dash));
            const std::uint64_t last =
                dash == std::string::npos ? first : number_in(std::string_view(one).substr(dash + 1));
            if (first > last || last >= listing_->sites.size()) refuse(one);
            for (std::uint64_t site = first; site <= last; ++site) arming_[site] = Arming::visible;
        }
    }
}

void InstrumentedCode::save(Writer& out) const { out.text(text()); }

// The saved set replaces this one, which may be larger: the search that was saved with it knows nothing of the rest.
void InstrumentedCode::load(Reader& in) {
    const std::string text = in.text();
    {
        const std::lock_guard lock(lock_);
        listing_ = first_listing_;
        arm_anew();
        joined_.clear();
        freed_.clear();
        calls_.clear();
        spins_.clear();
        stacks_ = signals_ = false;
        begin_epoch({.everything = true});
    }
    begin_with(text);
}

}  // namespace raddle
