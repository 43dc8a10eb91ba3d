/* A GThreadPool whose workers push to a GAsyncQueue. */
/* packages: glib-2.0 */
#include <glib.h>
#include <stdio.h>

static void work(gpointer task, gpointer queue) {
    g_async_queue_push(queue, GINT_TO_POINTER(GPOINTER_TO_INT(task) * 2));
}

int main(void) {
    GAsyncQueue* queue = g_async_queue_new();
    GThreadPool* pool = g_thread_pool_new(work, queue, 2, FALSE, NULL);
    for (int i = 1; i <= 4; ++i) g_thread_pool_push(pool, GINT_TO_POINTER(i), NULL);
    int sum = 0;
    for (int i = 1; i <= 4; ++i) sum += GPOINTER_TO_INT(g_async_queue_pop(queue));
    g_thread_pool_free(pool, FALSE, TRUE);
    g_async_queue_unref(queue);
    printf("%d\n", sum);
    return 0;
}
