#pragma once

namespace raddle {

extern const char* const version;

}  // namespace raddle
