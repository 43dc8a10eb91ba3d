/* ok: the flag that says the data is there is set after the data */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t flag_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t data_lock = PTHREAD_MUTEX_INITIALIZER;
static int published;
static int data;

static void set(pthread_mutex_t* lock, int* variable, int value) {
    pthread_mutex_lock(lock);
    *variable = value;
    pthread_mutex_unlock(lock);
}

static int get(pthread_mutex_t* lock, const int* variable) {
    pthread_mutex_lock(lock);
    const int value = *variable;
    pthread_mutex_unlock(lock);
    return value;
}

static void* publish(void* unused) {
    (void)unused;
    set(&data_lock, &data, 42);
    set(&flag_lock, &published, 1);
    return NULL;
}

static void* look(void* unused) {
    (void)unused;
    if (get(&flag_lock, &published)) assert(get(&data_lock, &data) == 42);
    return NULL;
}

int main(void) {
    pthread_t writer, reader;
    pthread_create(&writer, NULL, publish, NULL);
    pthread_create(&reader, NULL, look, NULL);
    pthread_join(writer, NULL);
    pthread_join(reader, NULL);
    return 0;
}
