// The campaign on disk is unusable. The message is one line: the file, the fault and the remedy.
#pragma once

#include "supervisor/base/error.h"

namespace raddle {

class StoreError : public BadInput {
public:
    using BadInput::BadInput;
};

}  // namespace raddle
