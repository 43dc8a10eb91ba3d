// The named programs of the docs, with exactly the accesses that their numbers assume: each shared access is one event,
// main only creates and joins (and initialises semaphores first).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tests/model_program.h"

namespace raddle::testing {

enum class Forks { ordered, left_first };

Code readers(int count);          // one writes x; each of the others reads its own variable, then x
Code lastzero(int count);         // searches the last zero of a[0..count] while others fill it
Code filesystem(int threads);     // 26 blocks, 32 inodes, one lock each
Code indexer(int threads);        // a table of 128 slots, 4 messages a thread
Code filesystem_thread(int tid);  // one thread of them
Code indexer_thread(int tid);
Code writers(int count);                // each writes one variable once
Code locks(int threads, int sections);  // critical sections of one mutex; their counter is no event
Code philosophers(int count, Forks forks);
Code cond_queue(int items);            // one producer, one consumer, one slot, two conditions
Code sem_queue(int pairs, int items);  // producers and consumers, one slot, two semaphores
Code wsq(int items);                   // Chase-Lev deque: its owner pushes and pops, a thief steals

// Programs with fewer graphs under the fine relation.
Code read_locks(int threads);     // each locks and unlocks a reader-writer lock, for reading
Code failing_tries(int threads);  // main holds a mutex while each thread tries it

// Programs of any size: each thread runs a number of actions on objects shared by all, one after another.
Code many_locks(int threads, int actions, int mutexes);

struct ExpectedGraphs {
    std::string name;
    Code main;
    std::optional<std::size_t> all;       // total number of graphs, under the plain relation
    std::vector<std::size_t> cumulative;  // with at most 0, 1, 2 … preemptions; the last equals `all` if that is known
    std::optional<std::size_t> all_fine{};  // under the fine relation, if the number differs
};

// All known numbers.
const std::vector<ExpectedGraphs>& expected_graphs();

}  // namespace raddle::testing
