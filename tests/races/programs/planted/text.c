#include "../two.h"
static char name[16] = "a";
static const char* volatile given = "bcd";
static void* rename_it(void* unused) {
    strcpy(name, given);  // race
    return unused;
}
static void* measure(void* length) {
    *(size_t*)length = strlen(name);  // race
    return 0;
}
int main(void) {
    size_t length = 0;
    return run(rename_it, measure, &length);
}
