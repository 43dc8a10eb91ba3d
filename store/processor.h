// What the processor can do, as far as libraries choose their code by it: another choice is another program.
#pragma once

#include <string>

namespace raddle {

// "aes avx avx2 …"
std::string processor_features();

}  // namespace raddle
