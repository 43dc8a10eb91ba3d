// bug: shutdown deletes the sessions while a worker still uses one that it looked up; preemptions: 2
// session_shutdown [SESSIONS [WORKERS]]: 4 sessions, 3 workers.
#include <cassert>
#include <cstdlib>
#include <map>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

struct Session {
    unsigned long magic = 0x5e5510;
    std::mutex lock;
    int requests = 0;
};

class Server {
public:
    explicit Server(int sessions) {
        for (int i = 0; i < sessions; ++i) table[i] = std::make_unique<Session>();
    }

    Session* find(int id) {
        const std::lock_guard<std::mutex> guard(lock);
        const auto found = table.find(id);
        return found == table.end() ? nullptr : found->second.get();
    }

    void serve(int id) {
        Session* session = find(id);
        if (!session) return;  // shut down already
        assert(session->magic == 0x5e5510);
        const std::lock_guard<std::mutex> guard(session->lock);
        ++session->requests;
    }

    void shut_down() {
        const std::lock_guard<std::mutex> guard(lock);
        table.clear();
    }

private:
    std::mutex lock;
    std::map<int, std::unique_ptr<Session>> table;
};

int main(int count, char** arguments) {
    const int sessions = count > 1 ? std::atoi(arguments[1]) : 4;
    const int workers = count > 2 ? std::atoi(arguments[2]) : 3;
    Server server(sessions);
    std::vector<std::thread> pool;
    for (int w = 0; w < workers; ++w) {
        pool.emplace_back([&server, sessions, w] {
            for (int i = 0; i < 2; ++i) server.serve((w + i) % sessions);
        });
    }
    server.shut_down();
    for (auto& worker : pool) worker.join();
}
