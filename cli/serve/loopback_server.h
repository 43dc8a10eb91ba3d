// An HTTP server for one user on this machine: it listens on 127.0.0.1 alone, and answers one request per connection.
// One slow or silent client does not hold up another.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "cli/serve/http_request.h"

namespace raddle::cli {

struct HttpAnswer {
    int status = 200;
    std::string type = "text/plain; charset=utf-8";
    std::string body{};
};

class LoopbackServer {
public:
    // 0: any free port. Throws BadInput if it is taken.
    explicit LoopbackServer(std::uint16_t port);
    ~LoopbackServer();
    LoopbackServer(const LoopbackServer&) = delete;
    LoopbackServer& operator=(const LoopbackServer&) = delete;

    std::uint16_t port() const { return port_; }
    // Until `is_over` says so; it is asked several times a second. Requests that are no HTTP, or that a page of another
    // site made under another name of this machine, do not reach `answer`.
    void serve(const std::function<HttpAnswer(const HttpRequest&)>& answer, const std::function<bool()>& is_over);

private:
    int socket_ = -1;
    std::uint16_t port_ = 0;
};

}  // namespace raddle::cli
