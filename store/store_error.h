// The campaign on disk cannot be used: one line that says what is wrong with which file, and what to do.
#pragma once

#include "supervisor/base/error.h"

namespace raddle {

class StoreError : public BadInput {
public:
    using BadInput::BadInput;
};

}  // namespace raddle
