/* bug: a function gives a thread a pointer to its own variable, and returns before the thread uses it; preemptions: 0 */
#include <pthread.h>
#include <stdio.h>
// run: --memory races
struct request {
    int number;
    char name[32];
};

static pthread_t thread;
static int handled;

static void* handle(void* argument) {
    const struct request* request = argument;
    handled = request->number;
    return NULL;
}

static void __attribute__((noinline)) submit(int number) {
    struct request request;
    request.number = number;
    snprintf(request.name, sizeof request.name, "request %d", number);
    pthread_create(&thread, NULL, handle, &request);
}

int main(void) {
    submit(7);
    pthread_join(thread, NULL);
    return handled < 0;
}
