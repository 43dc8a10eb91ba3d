// More code than raddle looks at by itself.
static volatile int asked;
int is_first(void) {
    const int first = !asked;
    asked = 1;
    return first;
}
void filling(void) { __asm__ volatile(".rept 1200000\n nop\n .endr"); }
