// The types that the rows of functions.def are written in.
#pragma once

#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <sys/time.h>
#include <sys/types.h>
#include <threads.h>
#include <time.h>

#include <cstddef>
#include <cstdint>

using MainFunction = int (*)(int, char**, char**);
using VoidFunction = void (*)();
