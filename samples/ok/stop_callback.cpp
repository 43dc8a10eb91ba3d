// ok: a callback of a std::stop_token comes and goes while it is called: both spin for the token's lock, on the stack of one
// build: -std=c++20
// run: --memory races --races explore
#include <stop_token>
#include <thread>

int main() {
    std::stop_source source;
    int calls = 0;
    std::thread thread([token = source.get_token(), &calls] { std::stop_callback callback(token, [&calls] { ++calls; }); });
    source.request_stop();
    thread.join();
    return calls <= 1 ? 0 : 1;
}
