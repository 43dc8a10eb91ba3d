// conformance: std::shared_future, std::promise
#include "check.h"
#include <future>
#include <thread>

int main()
{
    std::promise<int> promise;
    std::shared_future<int> shared = promise.get_future().share();
    int seen[2] = {0, 0};
    std::thread a([shared, &seen] { seen[0] = shared.get(); }), b([shared, &seen] { seen[1] = shared.get(); });
    promise.set_value(21);
    a.join();
    b.join();
    CHECK_EQ(seen[0] + seen[1], 42);
    CHECK_EQ(shared.get(), 21);
    return ok();
}
