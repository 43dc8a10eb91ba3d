// ok: a std::stop_callback is made and destroyed during request_stop: both threads spin for the lock of the stop state
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
