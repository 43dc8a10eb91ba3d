/* A writer and a reader on one database in write-ahead mode; the reader must never see half a transaction. */
/* flags: -lsqlite3 */
#include <pthread.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static const char* const database = "real-wal.db";

static sqlite3* open_or_die(void) {
    sqlite3* db = NULL;
    if (sqlite3_open(database, &db) != SQLITE_OK) abort();
    sqlite3_busy_timeout(db, 1000);
    if (sqlite3_exec(db, "PRAGMA journal_mode=WAL; PRAGMA synchronous=OFF", NULL, NULL, NULL) != SQLITE_OK) abort();
    return db;
}

static void* write_pairs(void* unused) {
    sqlite3* db = open_or_die();
    for (int i = 0; i < 2; ++i)
        if (sqlite3_exec(db, "BEGIN; INSERT INTO t VALUES(1); INSERT INTO t VALUES(-1); COMMIT", NULL, NULL, NULL) != SQLITE_OK) abort();
    sqlite3_close(db);
    return unused;
}

static int check(void* unused, int columns, char** values, char** names) {
    (void)unused, (void)columns, (void)names;
    if (atoi(values[0]) != 0) abort();
    return 0;
}

static void* read_sums(void* unused) {
    sqlite3* db = open_or_die();
    for (int i = 0; i < 2; ++i) sqlite3_exec(db, "SELECT total(v) FROM t", check, NULL, NULL);
    sqlite3_close(db);
    return unused;
}

int main(void) {
    unlink(database);
    unlink("real-wal.db-wal");
    unlink("real-wal.db-shm");
    sqlite3* db = open_or_die();
    if (sqlite3_exec(db, "CREATE TABLE t(v INT)", NULL, NULL, NULL) != SQLITE_OK) abort();
    pthread_t writer, reader;
    pthread_create(&writer, NULL, write_pairs, NULL);
    pthread_create(&reader, NULL, read_sums, NULL);
    pthread_join(writer, NULL);
    pthread_join(reader, NULL);
    sqlite3_close(db);
    puts("consistent");
    return 0;
}
