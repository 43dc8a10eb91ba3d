// ok: main copies a report after the thread that writes it has ended
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
    writer.join();
    std::memcpy(&copy, report.get(), sizeof copy);
    return copy.pages == 3 || copy.pages == 0 ? 0 : 1;
}
