// conformance: std::cout, std::ostringstream, std::osyncstream
#include "check.h"
#include <iostream>
#include <sstream>
#include <syncstream>
#include <thread>

// Threads print whole lines, the same lines in any order, and use string streams in parallel.
static void body()
{
    std::ostringstream line;
    line << "line " << 1 << '\n';
    std::cout << line.str() << std::flush;
    std::osyncstream(std::cout) << "line " << 1 << '\n';
}

int main()
{
    std::thread a(body), b(body);
    a.join();
    b.join();
    std::cout << "ok" << std::endl;
}
