// The campaign of one test, in a process of its own: tests run in parallel, and a failure of one harms no other.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <string>
#include <vector>

#include "replay/report/suite_report.h"
#include "supervisor/engine/program/interruption.h"
#include "supervisor/engine/suite/test_case.h"

namespace raddle {

struct CaseOrder {
    TestCase test;
    std::string directory;           // of its campaign
    std::chrono::milliseconds time;  // for this turn
    std::vector<int> processors;     // for this turn; its workers are as many
    bool is_rebuilt = false;         // its program changed since its campaign began
    bool had_one_thread = false;     // in its last turn
};

// A turn under way.
class CaseRun {
public:
    // Forks: call it while the process has one thread.
    CaseRun(CaseOrder order, const Settings& settings, Interruption& interruption);
    ~CaseRun();
    CaseRun(const CaseRun&) = delete;
    CaseRun& operator=(const CaseRun&) = delete;

    const CaseOrder& order() const { return order_; }
    int descriptor() const { return descriptor_; }  // readable while there is more to read
    // Reads what is there. True at the end; result() is then valid.
    bool read();
    // Waits for the end of the process.
    TestResult result();
    // Whether the next turn can find out more.
    bool may_go_on() const { return may_go_on_; }
    void send(int signal) const;

private:
    CaseOrder order_;
    pid_t process_ = -1;
    int descriptor_ = -1;
    std::string text_;
    bool may_go_on_ = false;
};

}  // namespace raddle
