/* Two threads write one table through connections that share their cache. */
/* flags: -lsqlite3 */
#include <pthread.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>

static const char* const database = "file:shared?mode=memory&cache=shared";

static sqlite3* open_or_die(void) {
    sqlite3* db = NULL;
    if (sqlite3_open_v2(database, &db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_URI, NULL) != SQLITE_OK) abort();
    sqlite3_busy_timeout(db, 1000);
    return db;
}

static void* add_rows(void* name) {
    sqlite3* db = open_or_die();
    char text[100];
    for (int i = 0; i < 3; ++i) {
        snprintf(text, sizeof text, "INSERT INTO t VALUES('%s', %d)", (const char*)name, i);
        /* A shared cache returns "locked" at once and ignores the time-out. */
        while (sqlite3_exec(db, text, NULL, NULL, NULL) == SQLITE_LOCKED) sqlite3_sleep(1);
    }
    sqlite3_close(db);
    return NULL;
}

static int print(void* unused, int columns, char** values, char** names) {
    (void)unused, (void)columns, (void)names;
    return puts(values[0]) < 0;
}

int main(void) {
    sqlite3* db = open_or_die();
    if (sqlite3_exec(db, "CREATE TABLE t(name TEXT, i INT)", NULL, NULL, NULL) != SQLITE_OK) abort();
    pthread_t first, second;
    pthread_create(&first, NULL, add_rows, "first");
    pthread_create(&second, NULL, add_rows, "second");
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    sqlite3_exec(db, "SELECT name || i FROM t ORDER BY name, i", print, NULL, NULL);
    sqlite3_close(db);
    return 0;
}
