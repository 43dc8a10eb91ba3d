// A thread pool of Boost.Asio: tasks, a strand, a timer.
#include <boost/asio.hpp>
#include <cstdio>

int main() {
    boost::asio::thread_pool pool(2);
    auto strand = boost::asio::make_strand(pool);
    int counted = 0;
    for (int i = 0; i < 4; ++i) boost::asio::post(strand, [&counted] { ++counted; });
    boost::asio::steady_timer timer(pool, std::chrono::milliseconds(10));
    bool fired = false;
    timer.async_wait([&fired](const boost::system::error_code&) { fired = true; });
    pool.join();
    std::printf("%d %d\n", counted, fired);
}
