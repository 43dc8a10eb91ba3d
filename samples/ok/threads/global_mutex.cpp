// ok: a global destroys its mutex when main returns, after the thread that locks it was joined
#include <pthread.h>

#include <thread>

namespace {

class Counter {
  public:
    Counter() { pthread_mutex_init(&mutex_, nullptr); }
    ~Counter() { pthread_mutex_destroy(&mutex_); }
    void add(int n) {
        pthread_mutex_lock(&mutex_);
        sum_ += n;
        pthread_mutex_unlock(&mutex_);
    }

  private:
    pthread_mutex_t mutex_;
    int sum_ = 0;
};

Counter counter;

}  // namespace

int main() {
    std::thread worker([] { counter.add(1); });
    counter.add(1);
    worker.join();
}
