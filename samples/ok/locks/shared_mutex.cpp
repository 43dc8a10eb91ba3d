// ok: a thread finds an entry missing under the shared lock and tests again under the exclusive lock
#include <cassert>
#include <mutex>
#include <shared_mutex>
#include <string>
#include <thread>
#include <vector>

namespace {

class Names {
  public:
    void add(const std::string& name) {
        {
            std::shared_lock lock(mutex_);
            if (has(name)) return;
        }
        std::unique_lock lock(mutex_);
        if (!has(name)) names_.push_back(name);
    }
    std::size_t size() const {
        std::shared_lock lock(mutex_);
        return names_.size();
    }

  private:
    bool has(const std::string& name) const {
        for (const auto& known : names_)
            if (known == name) return true;
        return false;
    }

    mutable std::shared_mutex mutex_;
    std::vector<std::string> names_;
};

}  // namespace

int main() {
    Names names;
    std::thread first([&] { names.add("loom"); });
    std::thread second([&] { names.add("loom"); });
    first.join();
    second.join();
    assert(names.size() == 1);
}
