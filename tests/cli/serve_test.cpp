// raddle serve: what it reads from strangers, what it shows, and to whom.
#include <arpa/inet.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <random>

#include "tests/command_line.h"
#include "tests/elements.h"

namespace raddle::testing {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using ::testing::Not;

int connection_to(int port, const char* address) {
    const int client = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in place{};
    place.sin_family = AF_INET;
    place.sin_port = htons(static_cast<std::uint16_t>(port));
    ::inet_pton(AF_INET, address, &place.sin_addr);
    const timeval patience = {30, 0};
    ::setsockopt(client, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    if (::connect(client, reinterpret_cast<const sockaddr*>(&place), sizeof place) == 0) return client;
    ::close(client);
    return -1;
}

// What the server says to these bytes until it ends the connection.
std::string said_to(int port, const std::string& bytes) {
    const int client = connection_to(port, "127.0.0.1");
    if (client < 0) return "(no connection)";
    for (std::size_t sent = 0; sent < bytes.size();) {
        const ssize_t count = ::send(client, bytes.data() + sent, bytes.size() - sent, MSG_NOSIGNAL);
        if (count <= 0) break;
        sent += static_cast<std::size_t>(count);
    }
    ::shutdown(client, SHUT_WR);
    std::string answer;
    char part[4096];
    for (ssize_t count; (count = ::recv(client, part, sizeof part, 0)) > 0;)
        answer.append(part, static_cast<std::size_t>(count));
    ::close(client);
    return answer;
}

struct Served {
    int port = 0;
    std::string base;  // "/key/"

    std::string get(const std::string& target, const std::string& host = {}) const {
        const std::string own = host.empty() ? "127.0.0.1:" + std::to_string(port) : host;
        return said_to(port, "GET " + target + " HTTP/1.1\r\nHost: " + own + "\r\n\r\n");
    }
};

// Runs raddle serve on a campaign with a deadlock, and `act` beside it.
Ended served(const std::string& campaign, const std::function<void(const Served&)>& act) {
    if (!fs::exists(campaign)) {
        EXPECT_EQ(raddle({"run", "--quiet", "-C", campaign, "--", sample("deadlock/abba")}).status, 1);
    }
    bool is_done = false;
    Conditions conditions{};
    conditions.signal = SIGTERM;
    conditions.when = [&](const std::string& out) {
        const std::string beginning = "http://127.0.0.1:";
        if (is_done || !out.ends_with('\n') || !out.starts_with(beginning)) return is_done;
        const std::size_t slash = out.find('/', beginning.size());
        act({std::stoi(out.substr(beginning.size())), out.substr(slash, out.size() - 1 - slash)});
        return is_done = true;
    };
    return raddle({"serve", campaign}, conditions);
}

TEST(Serve, ShowsProgressBoundsAndBugs) {
    const PrivateDirectory place;
    const Ended ended = served(place / "c", [](const Served& at) {
        const std::string page = at.get(at.base);
        EXPECT_THAT(page, HasSubstr("HTTP/1.1 200 OK\r\n"));
        for (const char* header :
             {"Cache-Control: no-store", "X-Content-Type-Options: nosniff", "X-Frame-Options: DENY"})
            EXPECT_THAT(page, HasSubstr(header));
        for (const char* part :
             {"executions per second", "asked for: every schedule", "explored: ", "deadlock: ", "bugs/0001-deadlock"})
            EXPECT_THAT(page, HasSubstr(part));
        EXPECT_FALSE(elements_of(page.substr(page.find("<!DOCTYPE"))).empty()) << "every tag is closed";
        EXPECT_THAT(at.get(at.base + "bugs/0001-deadlock"), HasSubstr("Who waits for whom")) << "the page of the bug";
        EXPECT_THAT(at.get(at.base, "localhost:" + std::to_string(at.port)), HasSubstr("200 OK"));
    });
    EXPECT_EQ(ended.status, 128 + SIGTERM) << ended.errors;
}

TEST(Serve, IsForTheOneWhoHasTheKeyAndOnThisMachine) {
    const PrivateDirectory place;
    served(place / "c", [](const Served& at) {
        std::string wrong = at.base;
        wrong[5] = wrong[5] == '0' ? '1' : '0';
        for (const std::string& target : {std::string("/"), wrong, wrong + "bugs/0001-deadlock", at.base.substr(0, 9)})
            EXPECT_THAT(at.get(target), HasSubstr("404 Not Found")) << target;
        EXPECT_THAT(at.get("/"), Not(HasSubstr(at.base)));
        for (const char* host : {"evil.example", "127.0.0.1", "127.0.0.1:1", "127.0.0.1.evil.example:80"})
            EXPECT_THAT(at.get(at.base, host), HasSubstr("400 Bad Request")) << "another site's name for this machine";
        EXPECT_EQ(connection_to(at.port, "127.0.0.2"), -1);
    });
}

TEST(Serve, ServesNoOtherFile) {
    const PrivateDirectory place;
    served(place / "c", [&](const Served& at) {
        const std::string bugs = place / "c/bugs";
        std::ofstream(place / "secret") << "secret";
        fs::create_directory(bugs + "/0007-link");
        fs::create_symlink(place / "secret", bugs + "/0007-link/report.html");
        fs::create_directory(place / "elsewhere");
        std::ofstream(place / "elsewhere/report.html") << "secret";
        fs::create_directory_symlink(place / "elsewhere", bugs + "/0008-link");
        for (const char* target :
             {"bugs/../../secret", "bugs/..", "bugs/.", "bugs/", "bugs/0001-deadlock/report.html", "bugs//etc/passwd",
              "bugs/0001-deadlock/../../../secret", "../secret", "bugs/0007-link", "bugs/0008-link", "campaign.db",
              "bugs/%2e%2e/secret", "bugs/0001-deadlock%00"}) {
            const std::string answer = at.get(at.base + target);
            EXPECT_THAT(answer, Not(HasSubstr("200 OK"))) << target;
            EXPECT_THAT(answer, Not(HasSubstr("secret"))) << target;
        }
    });
}

TEST(Serve, RefusesWhatIsNoSimpleRequest) {
    const PrivateDirectory place;
    served(place / "c", [](const Served& at) {
        const std::string host = "Host: 127.0.0.1:" + std::to_string(at.port) + "\r\n";
        const auto expect = [&](const std::string& bytes, const std::string& status) {
            EXPECT_THAT(said_to(at.port, bytes), HasSubstr("HTTP/1.1 " + status)) << bytes.substr(0, 80);
        };
        expect("POST " + at.base + " HTTP/1.1\r\n" + host + "\r\n", "405");
        expect("GET " + at.base + " HTTP/2.0\r\n" + host + "\r\n", "505");
        expect("GET /" + std::string(2000, 'a') + " HTTP/1.1\r\n" + host + "\r\n", "414");
        expect("GET " + at.base + " HTTP/1.1\r\nX: " + std::string(9000, 'a') + "\r\n", "431");
        std::string many;
        for (int i = 0; i < 100; ++i) many += "X: 1\r\n";
        expect("GET " + at.base + " HTTP/1.1\r\n" + many + "\r\n", "431");
        for (const std::string& headers :
             {host + host, host + "Content-Length: 5\r\n", host + "Transfer-Encoding: x\r\n", host + " folded\r\n",
              std::string(": x\r\n"), std::string("no colon\r\n")})
            expect("GET " + at.base + " HTTP/1.1\r\n" + headers + "\r\n", "400");
        expect("GET " + at.base + " HTTP/1.1\r\n\r\n", "400");
        EXPECT_THAT(said_to(at.port, "HEAD " + at.base + " HTTP/1.1\r\n" + host + "\r\n"), Not(HasSubstr("<html")));
    });
}

// Bytes of any kind, cut and changed requests: each gets an answer or the end of the connection, and the next good
// request is served.
TEST(Serve, OutlivesGarbage) {
    const PrivateDirectory place;
    const Ended ended = served(place / "c", [](const Served& at) {
        std::mt19937 random(20);
        const std::string good =
            "GET " + at.base + " HTTP/1.1\r\nHost: 127.0.0.1:" + std::to_string(at.port) + "\r\n\r\n";
        for (int round = 0; round < 600; ++round) {
            std::string bytes = round % 3 == 0 ? std::string(random() % 300, ' ') : good;
            if (round % 3 == 0)
                for (char& byte : bytes) byte = static_cast<char>(random());
            for (std::size_t i = 0, changes = random() % 4; i < changes && !bytes.empty(); ++i)
                bytes[random() % bytes.size()] = static_cast<char>(random());
            if (round % 3 == 1) bytes.resize(random() % (bytes.size() + 1));
            if (round % 50 == 0) bytes += std::string(20000, static_cast<char>(random()));
            const std::string answer = said_to(at.port, bytes);
            EXPECT_TRUE(answer.empty() || answer.starts_with("HTTP/1.1 ")) << answer.substr(0, 60);
        }
        // Silent connections hold nobody up.
        std::vector<int> silent;
        for (int i = 0; i < 20; ++i) silent.push_back(connection_to(at.port, "127.0.0.1"));
        EXPECT_THAT(at.get(at.base), HasSubstr("200 OK"));
        for (const int one : silent) ::close(one);
    });
    EXPECT_EQ(ended.status, 128 + SIGTERM) << ended.errors;
}

TEST(Serve, SaysWhatIsWrong) {
    EXPECT_EQ(raddle({"serve", "/nowhere"}).status, 6);
    const PrivateDirectory place;
    served(place / "c", [&](const Served& at) {
        const Ended taken = raddle({"serve", place / "c", "--port", std::to_string(at.port)});
        EXPECT_EQ(taken.status, 2);
        EXPECT_THAT(taken.errors, HasSubstr("choose another with --port"));
        EXPECT_EQ(raddle({"serve", place / "c", "--port", "65536"}).status, 2);
        fs::remove_all(place / "c");
        EXPECT_THAT(at.get(at.base), HasSubstr("503 Service Unavailable"));
    });
}

}  // namespace
}  // namespace raddle::testing
