#include "cli/serve/http_request.h"

#include <algorithm>

namespace raddle::cli {

namespace {

constexpr int ok = 200, bad_request = 400, wrong_method = 405, too_long = 414, too_large = 431, wrong_version = 505;

bool is_word_character(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string_view("!#$%&'*+-.^_`|~").find(c) != std::string_view::npos;
}

bool is_path_character(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string_view("/-._~").find(c) != std::string_view::npos;
}

bool is_printable(std::string_view text) {
    return std::all_of(text.begin(), text.end(), [](char c) { return c == '\t' || (c >= ' ' && c <= '~'); });
}

std::string lower(std::string_view text) {
    std::string small(text);
    for (char& c : small) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    return small;
}

std::string_view trimmed(std::string_view text) {
    while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
    while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
    return text;
}

int read_first_line(std::string_view line, HttpRequest& request) {
    const std::size_t first = line.find(' ');
    const std::size_t last = line.rfind(' ');
    if (first == std::string_view::npos || last == first) return bad_request;
    const std::string_view method = line.substr(0, first), version = line.substr(last + 1);
    std::string_view target = line.substr(first + 1, last - first - 1);
    if (method.empty() || !std::all_of(method.begin(), method.end(), is_word_character)) return bad_request;
    if (version != "HTTP/1.1" && version != "HTTP/1.0")
        return version.starts_with("HTTP/") ? wrong_version : bad_request;
    if (method != "GET" && method != "HEAD") return wrong_method;
    if (target.size() > longest_target) return too_long;
    target = target.substr(0, target.find('?'));
    if (!target.starts_with('/') || !std::all_of(target.begin(), target.end(), is_path_character)) return bad_request;
    request.method = method;
    request.target = target;
    return ok;
}

int read_header(std::string_view line, HttpRequest& request) {
    const std::size_t colon = line.find(':');
    if (colon == 0 || colon == std::string_view::npos) return bad_request;
    const std::string_view name = line.substr(0, colon), value = trimmed(line.substr(colon + 1));
    if (!std::all_of(name.begin(), name.end(), is_word_character) || !is_printable(value)) return bad_request;
    const std::string small = lower(name);
    if (small == "transfer-encoding" || (small == "content-length" && value != "0")) return bad_request;
    if (small != "host") return ok;
    if (!request.host.empty() || value.empty()) return bad_request;
    request.host = lower(value);
    return ok;
}

}  // namespace

int read_request(std::string_view bytes, HttpRequest& request) {
    request = {};
    const std::string_view within = bytes.substr(0, longest_request);
    const std::size_t end = within.find("\r\n\r\n");
    if (end == std::string_view::npos) {
        if (bytes.size() >= longest_request) return too_large;
        // A first line that cannot become a request is not waited for.
        return within.find('\0') == std::string_view::npos ? 0 : bad_request;
    }
    std::string_view head = within.substr(0, end);
    for (std::size_t count = 0; !head.empty() || count == 0; ++count) {
        if (count > most_headers) return too_large;
        const std::size_t line_end = std::min(head.find("\r\n"), head.size());
        const std::string_view line = head.substr(0, line_end);
        const int status = count == 0 ? read_first_line(line, request) : read_header(line, request);
        if (status != ok) return status;
        head.remove_prefix(std::min(line_end + 2, head.size()));
    }
    return ok;
}

}  // namespace raddle::cli
