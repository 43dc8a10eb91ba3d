// A hand-over without a lock, inside a library.
static volatile int taken;
int take(void) {
    if (taken) return 0;
    taken = 1;
    return 1;
}
