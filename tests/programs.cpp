#include "tests/programs.h"

#include <functional>

namespace raddle::testing {

namespace {

// Main creates these threads, in order, and joins them.
Code creating(std::vector<Code> threads, Code first = {}) {
    return [threads = std::move(threads), first = std::move(first)](Thread& t) -> Body {
        if (first) co_await first(t);
        std::vector<Handle> handles;
        for (const Code& code : threads) {
            const Handle handle = co_await t.spawn(code);
            handles.push_back(handle);
        }
        for (const Handle handle : handles) co_await t.join(handle);
    };
}

Code creating_alike(int count, const std::function<Code(int)>& code_of_thread) {
    std::vector<Code> threads;
    for (int i = 0; i < count; ++i) threads.push_back(code_of_thread(i));
    return creating(std::move(threads));
}

constexpr Variable variable(int number) { return {static_cast<std::uint32_t>(number)}; }
constexpr Mutex mutex(int number) { return {static_cast<std::uint32_t>(number)}; }

}  // namespace

Code readers(int count) {
    static constexpr Variable x{0};
    std::vector<Code> threads{[](Thread& t) -> Body { co_await t.write(x, 1); }};
    for (int i = 1; i <= count; ++i) {
        threads.push_back([i](Thread& t) -> Body {
            co_await t.read(variable(i));
            co_await t.read(x);
        });
    }
    return creating(std::move(threads));
}

Code lastzero(int count) {
    std::vector<Code> threads{[count](Thread& t) -> Body {
        int i = count;
        for (std::int64_t a = co_await t.read(variable(i)); a != 0; a = co_await t.read(variable(i))) --i;
    }};
    for (int j = 1; j <= count; ++j) {
        threads.push_back([j](Thread& t) -> Body {
            const std::int64_t before = co_await t.read(variable(j - 1));
            co_await t.write(variable(j), before + 1);
        });
    }
    return creating(std::move(threads));
}

Code filesystem_thread(int tid) {
    static constexpr int inodes = 32, blocks = 26;
    return [tid](Thread& t) -> Body {
        const auto inode = [](int i) { return variable(i); };
        const auto busy = [](int b) { return variable(inodes + b); };
        const auto block_lock = [](int b) { return mutex(inodes + b); };
        const int i = tid % inodes;
        co_await t.lock(mutex(i));
        const std::int64_t has_block = co_await t.read(inode(i));
        if (has_block == 0) {
            for (int b = i * 2 % blocks;; b = (b + 1) % blocks) {
                co_await t.lock(block_lock(b));
                const std::int64_t taken = co_await t.read(busy(b));
                if (taken == 0) {
                    co_await t.write(busy(b), 1);
                    co_await t.write(inode(i), b + 1);
                    co_await t.unlock(block_lock(b));
                    break;
                }
                co_await t.unlock(block_lock(b));
            }
        }
        co_await t.unlock(mutex(i));
    };
}

Code filesystem(int threads) { return creating_alike(threads, filesystem_thread); }

Code indexer_thread(int tid) {
    static constexpr int messages = 4, slots = 128;
    return [tid](Thread& t) -> Body {
        for (int m = 1; m <= messages; ++m) {
            const int w = m * 11 + tid;
            int h = w * 7 % slots;
            for (bool entered = false; !entered; h = (h + 1) % slots)
                entered = co_await t.compare_exchange(variable(h), 0, w);
        }
    };
}

Code indexer(int threads) { return creating_alike(threads, indexer_thread); }

Code writers(int count) {
    return creating_alike(count,
                          [](int i) -> Code { return [i](Thread& t) -> Body { co_await t.write(variable(0), i); }; });
}

Code locks(int threads, int sections) {
    return creating_alike(threads, [sections](int) -> Code {
        return [sections](Thread& t) -> Body {
            for (int i = 0; i < sections; ++i) {
                co_await t.lock(mutex(0));
                co_await t.unlock(mutex(0));
            }
        };
    });
}

Code philosophers(int count, Forks forks) {
    return creating_alike(count, [count, forks](int i) -> Code {
        const int left = i, right = (i + 1) % count;
        const bool swapped = forks == Forks::ordered && right < left;
        const Mutex first = mutex(swapped ? right : left), second = mutex(swapped ? left : right);
        return [first, second](Thread& t) -> Body {
            co_await t.lock(first);
            co_await t.lock(second);
            co_await t.unlock(second);
            co_await t.unlock(first);
        };
    });
}

Code cond_queue(int items) {
    static constexpr Mutex m{0};
    static constexpr Condition not_empty{0}, not_full{1};
    static constexpr Variable n{0};
    const Code producer = [items](Thread& t) -> Body {
        for (int i = 0; i < items; ++i) {
            co_await t.lock(m);
            std::int64_t stored = co_await t.read(n);
            for (; stored == 1; stored = co_await t.read(n)) co_await t.wait(not_full, m);
            co_await t.write(n, stored + 1);
            co_await t.signal(not_empty);
            co_await t.unlock(m);
        }
    };
    const Code consumer = [items](Thread& t) -> Body {
        for (int i = 0; i < items; ++i) {
            co_await t.lock(m);
            std::int64_t stored = co_await t.read(n);
            for (; stored == 0; stored = co_await t.read(n)) co_await t.wait(not_empty, m);
            co_await t.write(n, stored - 1);
            co_await t.signal(not_full);
            co_await t.unlock(m);
        }
    };
    return creating({producer, consumer});
}

Code sem_queue(int pairs, int items) {
    static constexpr Semaphore empty{0}, full{1};
    const auto moving = [items](Semaphore from, Semaphore to) -> Code {
        return [items, from, to](Thread& t) -> Body {
            for (int i = 0; i < items; ++i) {
                co_await t.wait(from);
                co_await t.post(to);
            }
        };
    };
    std::vector<Code> threads;
    for (int i = 0; i < pairs; ++i) threads.push_back(moving(empty, full));
    for (int i = 0; i < pairs; ++i) threads.push_back(moving(full, empty));
    return creating(std::move(threads), [](Thread& t) -> Body {
        co_await t.init(empty, 1);
        co_await t.init(full, 0);
    });
}

// ---- the work-stealing queue

namespace {

constexpr Variable top{0}, bottom{1};
constexpr Variable slot_for(std::int64_t i) { return variable(static_cast<int>(2 + (i & 15))); }
constexpr Variable taken(std::int64_t v) { return variable(static_cast<int>(100 + v)); }

Routine<void> push(Thread& t, std::int64_t v) {
    const std::int64_t b = co_await t.read(bottom);
    co_await t.write(slot_for(b), v);
    co_await t.write(bottom, b + 1);
}

Routine<std::int64_t> pop(Thread& self) {
    const std::int64_t b = co_await self.read(bottom) - 1;
    co_await self.write(bottom, b);
    const std::int64_t t = co_await self.read(top);
    if (t > b) {
        co_await self.write(bottom, b + 1);
        co_return 0;
    }
    std::int64_t v = co_await self.read(slot_for(b));
    if (t == b) {
        const bool won = co_await self.compare_exchange(top, t, t + 1);
        if (!won) v = 0;
        co_await self.write(bottom, b + 1);
    }
    co_return v;
}

Routine<std::int64_t> steal(Thread& self) {
    const std::int64_t t = co_await self.read(top);
    const std::int64_t b = co_await self.read(bottom);
    if (t >= b) co_return 0;
    const std::int64_t v = co_await self.read(slot_for(t));
    const bool won = co_await self.compare_exchange(top, t, t + 1);
    co_return won ? v : 0;
}

}  // namespace

Code wsq(int items) {
    const Code owner = [items](Thread& t) -> Body {
        for (int v = 1; v <= items; ++v) co_await push(t, v);
        for (int i = 0; i < items; ++i) {
            const std::int64_t v = co_await pop(t);
            if (v != 0) co_await t.add(taken(v), 1);
        }
    };
    const Code thief = [items](Thread& t) -> Body {
        for (int i = 0; i < items; ++i) {
            const std::int64_t v = co_await steal(t);
            if (v != 0) co_await t.add(taken(v), 1);
        }
    };
    return creating({owner, thief});
}

// ---- programs with different numbers under the two relations

Code read_locks(int threads) {
    static constexpr RwLock lock{0};
    return creating_alike(threads, [](int) -> Code {
        return [](Thread& t) -> Body {
            co_await t.read_lock(lock);
            co_await t.unlock(lock);
        };
    });
}

Code failing_tries(int threads) {
    const Code trying = [](Thread& t) -> Body { co_await t.try_lock(mutex(0)); };
    return creating(std::vector<Code>(static_cast<std::size_t>(threads), trying),
                    [](Thread& t) -> Body { co_await t.lock(mutex(0)); });
}

// ---- programs of any size

Code many_locks(int threads, int actions, int mutexes) {
    return creating_alike(threads, [actions, mutexes](int tid) -> Code {
        return [actions, mutexes, tid](Thread& t) -> Body {
            for (int i = 0; i < actions / 2; ++i) {
                const Mutex m = mutex((tid + i) % mutexes);
                co_await t.lock(m);
                co_await t.unlock(m);
            }
        };
    });
}

// ---- the table

const std::vector<ExpectedGraphs>& expected_graphs() {
    using std::to_string;
    static const std::vector<ExpectedGraphs> table = [] {
        std::vector<ExpectedGraphs> rows;
        const auto all = [&rows](std::string name, Code main, std::size_t graphs) {
            rows.push_back({std::move(name), std::move(main), graphs, {}});
        };
        const auto at_once = [&rows](std::string name, Code main,
                                     std::size_t graphs) {  // all of them without preemption
            rows.push_back({std::move(name), std::move(main), graphs, {graphs}});
        };
        const auto by_bound = [&rows](std::string name, Code main, std::vector<std::size_t> cumulative,
                                      bool complete = true) {
            const std::optional<std::size_t> total = complete ? std::optional(cumulative.back()) : std::nullopt;
            rows.push_back({std::move(name), std::move(main), total, std::move(cumulative)});
        };
        for (const int n : {1, 2, 5, 8, 13}) at_once("readers(" + to_string(n) + ")", readers(n), std::size_t{1} << n);
        for (const auto& [n, graphs] : {std::pair{5, 64u}, {10, 3328u}, {15, 147456u}})
            at_once("lastzero(" + to_string(n) + ")", lastzero(n), graphs);
        for (const auto& [n, graphs] : {std::pair{2, 1u}, {13, 1u}, {14, 2u}, {16, 8u}, {18, 32u}})
            all("filesystem(" + to_string(n) + ")", filesystem(n), graphs);
        for (const auto& [n, graphs] : {std::pair{2, 1u}, {11, 1u}, {12, 8u}, {13, 64u}, {15, 4096u}})
            all("indexer(" + to_string(n) + ")", indexer(n), graphs);
        for (const auto& [n, graphs] : {std::pair{1, 1u}, {2, 2u}, {3, 6u}, {4, 24u}, {5, 120u}, {6, 720u}})
            at_once("writers(" + to_string(n) + ")", writers(n), graphs);
        by_bound("locks(2,2)", locks(2, 2), {2, 4, 6});                            // 4!/(2!2!)
        by_bound("locks(2,4)", locks(2, 4), {2, 8, 26, 44, 62, 68, 70});           // 8!/(4!4!)
        by_bound("locks(3,2)", locks(3, 2), {6, 24, 60, 90});                      // 6!/(2!)^3
        by_bound("locks(3,3)", locks(3, 3), {6, 42, 192, 552, 1062, 1506, 1680});  // 9!/(3!)^3
        by_bound("locks(4,2)", locks(4, 2), {24, 168, 672, 1656, 2520});           // 8!/(2!)^4
        for (const auto& [n, graphs] :
             {std::pair{2, 2u}, {3, 6u}, {4, 14u}, {5, 30u}}) {  // 2^n - 2: a first user for each fork, no circle
            at_once("philosophers(" + to_string(n) + "), ordered", philosophers(n, Forks::ordered), graphs);
            by_bound("philosophers(" + to_string(n) + "), left first", philosophers(n, Forks::left_first),
                     {graphs, graphs + 1});  // and the deadlock, for one preemption
        }
        for (const auto& [k, graphs] : {std::pair{1, 2u}, {2, 8u}, {3, 32u}, {4, 128u}})
            all("cond_queue(" + to_string(k) + ")", cond_queue(k), graphs);
        all("sem_queue(2,1)", sem_queue(2, 1), 4);
        all("sem_queue(2,2)", sem_queue(2, 2), 36);
        by_bound("wsq(3)", wsq(3), {2, 16, 77, 255, 463, 705, 760, 797});
        by_bound("wsq(4)", wsq(4), {2, 21, 142, 650, 1720, 3915, 5700, 7651, 8092, 8333});
        by_bound("wsq(5)", wsq(5), {2, 26, 227, 1324}, false);
        rows.back().all = 86527;
        // Plain relation: two actions of n threads in any order, (2n)!/2^n. Fine relation: readers do not see each
        // other.
        rows.push_back({"read_locks(2)", read_locks(2), 6, {}, 1});
        rows.push_back({"read_locks(3)", read_locks(3), 90, {}, 1});
        rows.push_back({"failing_tries(4)", failing_tries(4), 24, {24}, 1});  // failed tries return the same
        return rows;
    }();
    return table;
}

}  // namespace raddle::testing
