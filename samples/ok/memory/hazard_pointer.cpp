// ok: a reader publishes its hazard pointer and then checks again that the node is still current
// build: -O2
// run: --memory atomics
#include <atomic>
#include <cassert>
#include <thread>

struct Node {
    std::atomic<int> alive{1};
};
Node first, second;
std::atomic<Node*> current{&first}, hazard;

Node* protect() {
    Node* node = current;
    for (;;) {
        hazard = node;
        Node* now = current;
        if (now == node) return node;
        node = now;
    }
}

void look() {
    Node* node = protect();
    assert(node->alive != 0);
    hazard = nullptr;
}

void replace() {
    Node* old = current.exchange(&second);
    if (hazard != old) old->alive = 0;
}

int main() {
    std::thread reader(look), writer(replace);
    reader.join();
    writer.join();
}
