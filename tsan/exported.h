// Of every function here the names and parameters are those that compilers expect of libtsan.
#pragma once

#include "preload/memory/calls.h"

#define RADDLE_TSAN __attribute__((visibility("default")))
#define RADDLE_CALL __builtin_return_address(0)
