#include "cli/serve/loopback_server.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <vector>

#include "supervisor/base/error.h"

namespace raddle::cli {

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t most_connections = 32;
constexpr std::chrono::seconds longest_connection{10};
constexpr int poll_milliseconds = 200;

const char* words_of_status(int status) {
    switch (status) {
        case 200: return "OK";
        case 400: return "Bad Request";
        case 404: return "Not Found";
        case 405: return "Method Not Allowed";
        case 414: return "URI Too Long";
        case 431: return "Request Header Fields Too Large";
        case 505: return "HTTP Version Not Supported";
        default: return "Service Unavailable";
    }
}

std::string bytes_of(const HttpAnswer& answer, bool has_body) {
    std::string text = "HTTP/1.1 " + std::to_string(answer.status) + " " + words_of_status(answer.status) + "\r\n";
    text += "Content-Type: " + answer.type + "\r\n";
    text += "Content-Length: " + std::to_string(answer.body.size()) + "\r\n";
    if (answer.status == 405) text += "Allow: GET, HEAD\r\n";
    text +=
        "Connection: close\r\nCache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\n"
        "X-Frame-Options: DENY\r\nReferrer-Policy: no-referrer\r\nCross-Origin-Resource-Policy: same-origin\r\n\r\n";
    return has_body ? text + answer.body : text;
}

struct Connection {
    int socket;
    Clock::time_point until;
    std::string in{}, out{};
    std::size_t sent = 0;
    bool is_over = false;
};

void receive(Connection& connection) {
    std::array<char, 4096> bytes;
    const ssize_t count = ::recv(connection.socket, bytes.data(), bytes.size(), 0);
    if (count > 0)
        connection.in.append(bytes.data(), static_cast<std::size_t>(count));
    else if (count == 0 || (errno != EAGAIN && errno != EINTR))
        connection.is_over = true;
}

void send_more(Connection& connection) {
    const ssize_t count = ::send(connection.socket, connection.out.data() + connection.sent,
                                 connection.out.size() - connection.sent, MSG_NOSIGNAL);
    if (count >= 0)
        connection.sent += static_cast<std::size_t>(count);
    else if (errno != EAGAIN && errno != EINTR)
        connection.is_over = true;
    if (connection.sent == connection.out.size()) connection.is_over = true;
}

}  // namespace

LoopbackServer::LoopbackServer(std::uint16_t port) {
    socket_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    const int yes = 1;
    ::setsockopt(socket_, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    socklen_t length = sizeof address;
    if (socket_ < 0 || ::bind(socket_, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0 ||
        ::listen(socket_, 16) != 0 || ::getsockname(socket_, reinterpret_cast<sockaddr*>(&address), &length) != 0) {
        const std::string why = std::strerror(errno);
        if (socket_ >= 0) ::close(socket_);
        throw BadInput("cannot listen on port " + std::to_string(port) + " of 127.0.0.1: " + why +
                       "; choose another with --port");
    }
    port_ = ntohs(address.sin_port);
}

LoopbackServer::~LoopbackServer() { ::close(socket_); }

void LoopbackServer::serve(const std::function<HttpAnswer(const HttpRequest&)>& answer,
                           const std::function<bool()>& is_over) {
    const std::string own = ":" + std::to_string(port_);
    const auto answer_to = [&](Connection& connection) {
        HttpRequest request;
        const int status = read_request(connection.in, request);
        if (status == 0) return;
        // A page of another site can reach this port under a name of its own, but not change the header.
        const bool is_ours = request.host == "127.0.0.1" + own || request.host == "localhost" + own;
        HttpAnswer result{status, "text/plain; charset=utf-8", std::string(words_of_status(status)) + "\n"};
        if (status == 200) result = is_ours ? answer(request) : HttpAnswer{400, result.type, "Bad Request\n"};
        connection.out = bytes_of(result, request.method != "HEAD");
    };
    std::vector<Connection> connections;
    while (!is_over()) {
        std::vector<pollfd> waits = {
            {socket_, static_cast<short>(connections.size() < most_connections ? POLLIN : 0), 0}};
        for (const Connection& one : connections)
            waits.push_back({one.socket, static_cast<short>(one.out.empty() ? POLLIN : POLLOUT), 0});
        ::poll(waits.data(), waits.size(), poll_milliseconds);
        for (std::size_t i = 0; i < connections.size(); ++i) {
            Connection& one = connections[i];
            if (Clock::now() > one.until) one.is_over = true;
            if (one.is_over || waits[i + 1].revents == 0) continue;
            if (!one.out.empty()) {
                send_more(one);
                continue;
            }
            receive(one);
            answer_to(one);
        }
        std::erase_if(connections, [](const Connection& one) {
            if (one.is_over) ::close(one.socket);
            return one.is_over;
        });
        if ((waits[0].revents & POLLIN) == 0) continue;
        const int fresh = ::accept4(socket_, nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK);
        if (fresh >= 0) connections.push_back({fresh, Clock::now() + longest_connection});
    }
    for (const Connection& one : connections) ::close(one.socket);
}

}  // namespace raddle::cli
