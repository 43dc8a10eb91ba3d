// bug: a reader publishes its hazard pointer but does not check again that the node is still current; preemptions: 1
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
    hazard = node;
    return node;
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
