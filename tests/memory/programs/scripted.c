// Each thread runs the letters of its argument, one after another; the exit status encodes the values the threads saw.
//   A a B b   locks and unlocks one of two mutexes
//   1 2 3     reads and changes a variable; each letter has its own instructions, as in real code
//   x y z     only reads it
#include <pthread.h>

static pthread_mutex_t mutex[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static volatile unsigned one, two, three;

struct part {
    const char* script;
    unsigned number, seen;
};

static void* play(void* argument) {
    struct part* part = argument;
    unsigned seen = 0;
    for (const char* letter = part->script; *letter != 0; ++letter) {
        switch (*letter) {
            case 'A': pthread_mutex_lock(&mutex[0]); break;
            case 'a': pthread_mutex_unlock(&mutex[0]); break;
            case 'B': pthread_mutex_lock(&mutex[1]); break;
            case 'b': pthread_mutex_unlock(&mutex[1]); break;
            case '1': seen = seen * 5 + one; one = one * 3 + part->number; break;
            case '2': seen = seen * 5 + two; two = two * 3 + part->number; break;
            case '3': seen = seen * 5 + three; three = three * 3 + part->number; break;
            case 'x': seen = seen * 5 + one; break;
            case 'y': seen = seen * 5 + two; break;
            case 'z': seen = seen * 5 + three; break;
        }
    }
    part->seen = seen;
    return 0;
}

int main(int count, char** script) {
    enum { most = 4 };
    static struct part part[most];
    pthread_t thread[most];
    // main itself runs the last script while the others run; it joins them in order.
    for (int i = 1; i + 1 < count && i < most; ++i) {
        part[i] = (struct part){script[i], (unsigned)i, 0};
        pthread_create(&thread[i], 0, play, &part[i]);
    }
    part[0] = (struct part){script[count - 1], 7, 0};
    play(&part[0]);
    unsigned seen = part[0].seen;
    for (int i = 1; i + 1 < count && i < most; ++i) {
        pthread_join(thread[i], 0);
        seen = seen * 31 + part[i].seen;
    }
    return (int)((seen * 31 + one + two * 7 + three * 13) % 251);
}
