// Output of the process: each file that threads write to is an object, and each write uses it and the process. So the
// searches explore all orders of the writes, and their orders with the end of the process, after which nothing is
// written.
#include "supervisor/model/kinds.h"

namespace raddle {

std::uint32_t ways::output(const MachineState& machine, ThreadSlot) { return machine.process_has_ended() ? 0 : 1; }
void operations::output(const ModelStep& step) { step.object(Kind::output); }

}  // namespace raddle
