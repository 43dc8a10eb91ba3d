// The features of the processor by which libraries choose their code: with other features the program runs other code.
#pragma once

#include <string>

namespace raddle {

// "aes avx avx2 …"
std::string processor_features();

}  // namespace raddle
