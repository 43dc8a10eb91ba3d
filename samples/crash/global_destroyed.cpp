// bug: a global is destroyed when main returns, but a detached thread still uses it; preemptions: 1
// The thread has to run after the destructor, before the process ends. Natively the process usually ends first.
#include <memory>
#include <mutex>
#include <string>
#include <thread>

namespace {

class Log {
  public:
    ~Log() {
        std::lock_guard lock(mutex_);
        lines_.reset();
    }
    void write(const char* line) {
        std::lock_guard lock(mutex_);
        lines_->append(line);
    }

  private:
    std::mutex mutex_;
    std::unique_ptr<std::string> lines_ = std::make_unique<std::string>();
};

Log log_of_all;

}  // namespace

int main() {
    std::thread worker([] { log_of_all.write("worker\n"); });
    worker.detach();
    log_of_all.write("main\n");
}
