// The named programs of docs, with exactly the accesses their counts are given for: each shared access is one event,
// main only creates and joins (and initialises semaphores first).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tests/model_program.h"

namespace raddle::testing {

enum class Forks { ordered, left_first };

Code readers(int count);                    // one writes x; each of the others reads a variable of its own, then x
Code lastzero(int count);                   // looks for the last zero of a[0..count] while others fill it
Code filesystem(int threads);               // 26 blocks, 32 inodes, a lock each
Code indexer(int threads);                  // a table of 128 slots, 4 messages a thread
Code writers(int count);                    // each writes one variable once
Code locks(int threads, int sections);      // critical sections of one mutex; the counter in them is no event
Code philosophers(int count, Forks forks);
Code cond_queue(int items);                 // one producer, one consumer, a slot, two conditions
Code sem_queue(int pairs, int items);       // producers and consumers, a slot, two semaphores
Code wsq(int items);                        // Chase-Lev deque: its owner pushes and pops, a thief steals

// Where the fine relation knows more than the plain one.
Code read_locks(int threads);               // each takes and gives back a reader-writer lock, for reading
Code failing_tries(int threads);            // main holds a mutex while each tries it

// Programs of any size: each thread does so many actions on objects that it shares with all, one after the other.
Code many_locks(int threads, int actions, int mutexes);

struct ExpectedGraphs {
    std::string name;
    Code main;
    std::optional<std::size_t> all;         // graphs in all, under the plain relation
    std::vector<std::size_t> cumulative;    // with at most 0, 1, 2 … preemptions; the last is `all` where that is known
    std::optional<std::size_t> all_fine{};  // under the fine relation, where it is another number
};

// Every number there is.
const std::vector<ExpectedGraphs>& expected_graphs();

}  // namespace raddle::testing
