// bug: main copies a report without waiting for the thread that writes it; preemptions: 0
// build: -O2
// run: --memory races
#include <cstring>
#include <memory>
#include <thread>

struct Report {
    char text[48];
    int pages;
};

int main() {
    const auto report = std::make_unique<Report>();
    std::thread writer([&] {
        report->pages = 3;
    });
    Report copy;
    std::memcpy(&copy, report.get(), sizeof copy);
    writer.join();
    return copy.pages == 3 || copy.pages == 0 ? 0 : 1;
}
