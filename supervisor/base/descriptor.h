// File descriptors: one that is closed at the end of its scope, and what every user of descriptors repeats.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string_view>
#include <utility>

struct stat;

namespace raddle {

class Descriptor {
public:
    Descriptor() = default;
    // Takes it over; a negative number is none.
    explicit Descriptor(int number) : number_(number) {}
    // With O_CLOEXEC. Where it fails there is none, and errno says why.
    Descriptor(const std::filesystem::path& path, int flags, unsigned rights = 0);
    ~Descriptor();  // keeps errno
    Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
    Descriptor& operator=(Descriptor&& other) noexcept {
        std::swap(number_, other.number_);
        return *this;
    }

    explicit operator bool() const { return number_ >= 0; }
    int number() const { return number_; }

private:
    int number_ = -1;
};

// False if that failed; errno then says why.
bool write_all(int descriptor, std::string_view bytes);

// The file is ours, and nobody else can write it.
bool belongs_to_us_alone(const struct stat& status);

}  // namespace raddle
