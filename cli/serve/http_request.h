// The head of an HTTP/1 request. Every byte comes from a stranger, so each length has a limit and anything unusual is
// refused: bodies, continued lines, several hosts, control characters.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace raddle::cli {

inline constexpr std::size_t longest_request = 8192;
inline constexpr std::size_t longest_target = 1024;
inline constexpr std::size_t most_headers = 64;

struct HttpRequest {
    std::string method;  // GET or HEAD
    std::string target;  // "/a/b", without a query; characters are not decoded: a % is refused
    std::string host;    // empty: not given
};

// The status for the client: 0 while the head is not complete, 200 if `request` is filled in, an error otherwise.
int read_request(std::string_view bytes, HttpRequest& request);

}  // namespace raddle::cli
