// ok: a ring buffer for many producers and consumers
// build: -O2
// run: --memory atomics
#include <atomic>
#include <cassert>
#include <thread>

struct Place {
    std::atomic<unsigned> turn;
    std::atomic<int> value;
};
Place places[2];
std::atomic<unsigned> head, tail;

void fill(Place& place, unsigned turn, int value) {
    place.value = value;
    place.turn = turn;
}

bool put(int value) {
    for (;;) {
        unsigned at = tail;
        Place& place = places[at % 2];
        const unsigned turn = place.turn;
        if (turn < at) return false;
        if (turn == at && tail.compare_exchange_strong(at, at + 1)) {
            fill(place, at + 1, value);
            return true;
        }
    }
}

int get() {
    for (;;) {
        unsigned at = head;
        Place& place = places[at % 2];
        const unsigned turn = place.turn;
        if (turn < at + 1) return -1;
        if (turn == at + 1 && head.compare_exchange_strong(at, at + 1)) {
            const int value = place.value;
            place.turn = at + 2;
            return value;
        }
    }
}

int main() {
    places[1].turn = 1;
    std::thread producer([] { put(5); }), consumer([] { const int got = get(); assert(got == -1 || got == 5); });
    producer.join();
    consumer.join();
}
