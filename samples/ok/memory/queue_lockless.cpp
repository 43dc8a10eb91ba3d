// ok: a Michael-Scott queue
// build: -O2
// run: --memory atomics
#include <atomic>
#include <cassert>
#include <thread>

struct Node {
    int value;
    std::atomic<Node*> next;
};
Node nodes[3];
std::atomic<Node*> head{&nodes[0]}, tail{&nodes[0]};

bool link(Node* last, Node* fresh) {
    Node* nothing = nullptr;
    return last->next.compare_exchange_strong(nothing, fresh);
}

void put(Node* fresh) {
    for (;;) {
        Node* last = tail;
        Node* next = last->next;
        if (next != nullptr) {
            tail.compare_exchange_strong(last, next);
            continue;
        }
        if (!link(last, fresh)) continue;
        tail.compare_exchange_strong(last, fresh);
        return;
    }
}

int main() {
    std::thread a(put, &nodes[1]), b(put, &nodes[2]);
    a.join();
    b.join();
    int count = 0;
    for (Node* node = head.load()->next; node != nullptr; node = node->next) ++count;
    assert(count == 2);
}
