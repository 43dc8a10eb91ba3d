/* conformance: open, fopen, mkstemp, mkdtemp, stat, rename, unlink, opendir, bind, connect, system, execv, posix_spawn */
/* raddle: unseen calls */
#include "check.h"
#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <spawn.h>
#include <stddef.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>

extern char **environ;

/* File and socket names that contain the process id are private to the process, even when several executions run at once;
 * functions and child processes that get such a name find the file. */
static char folder[128], file[256], other[256], text[512];

static int is_there(const char *name)
{
    struct stat status;
    return stat(name, &status) == 0;
}

static void files(void)
{
    snprintf(folder, sizeof folder, "/tmp/names-%d", (int)getpid());
    rmdir(folder);
    CHECK_EQ(mkdir(folder, 0700), 0);
    snprintf(file, sizeof file, "%s/file.%d", folder, (int)getpid());
    snprintf(other, sizeof other, "%s/other", folder);
    const int fd = open(file, O_CREAT | O_EXCL | O_RDWR, 0600);
    CHECK(fd >= 0);
    CHECK_EQ(write(fd, "abc", 3), 3);
    CHECK_EQ(close(fd), 0);
    FILE *stream = fopen(file, "r");
    CHECK(stream != NULL && fgetc(stream) == 'a');
    fclose(stream);
    CHECK_EQ(rename(file, other), 0);
    CHECK(is_there(other) && !is_there(file));
    CHECK_EQ(rename(other, file), 0);
    int entries = 0;
    DIR *listing = opendir(folder);
    CHECK(listing != NULL);
    while (readdir(listing) != NULL)
        entries++;
    closedir(listing);
    CHECK_EQ(entries, 3);
}

static void made_up(void)
{
    char name[256], inside[300];
    snprintf(name, sizeof name, "%s/%d.XXXXXX.txt", folder, (int)getpid());
    const int fd = mkstemps(name, 4);
    CHECK(fd >= 0);
    close(fd);
    CHECK(strstr(name, "XXXXXX") == NULL && strcmp(name + strlen(name) - 4, ".txt") == 0);
    CHECK_EQ(unlink(name), 0);
    snprintf(name, sizeof name, "%s/d%dXXXXXX", folder, (int)getpid());
    CHECK(mkdtemp(name) == name);
    snprintf(inside, sizeof inside, "%s/%d", name, (int)getpid());
    CHECK_EQ(close(creat(inside, 0600)), 0);
    CHECK_EQ(remove(inside), 0);
    CHECK_EQ(rmdir(name), 0);
}

static void *sockets(void *abstract)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    char *path = address.sun_path + (abstract != NULL);
    const int length = snprintf(path, sizeof address.sun_path - 1, "%s/socket-%d", folder, (int)getpid());
    const socklen_t size = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + (size_t)length);
    const int listener = socket(AF_UNIX, SOCK_STREAM, 0), client = socket(AF_UNIX, SOCK_STREAM, 0);
    CHECK_EQ(bind(listener, (struct sockaddr *)&address, size), 0);
    CHECK_EQ(listen(listener, 1), 0);
    CHECK_EQ(connect(client, (struct sockaddr *)&address, size), 0);
    const int server = accept(listener, NULL, NULL);
    CHECK(server >= 0);
    close(client);
    close(server);
    close(listener);
    if (abstract == NULL)
        CHECK_EQ(unlink(path), 0);
    return abstract;
}

static int ended_well(pid_t child)
{
    int status;
    return waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

static void children(void)
{
    char *words[] = {"test", "-f", file, NULL};
    snprintf(text, sizeof text, "test -f %s && test \"$NAMED\" = %s", file, file);
    CHECK_EQ(setenv("NAMED", file, 1), 0);
    CHECK_EQ(system(text), 0);
    pid_t child;
    CHECK_EQ(posix_spawnp(&child, "test", NULL, NULL, words, environ), 0);
    CHECK(ended_well(child));
    child = fork();
    if (child == 0) {
        execvp("test", words);
        _exit(127);
    }
    CHECK(ended_well(child));
    child = fork();
    if (child == 0)
        _exit(is_there(file) && access(file, R_OK) == 0 && open(file, O_RDONLY) >= 0 ? 0 : 1);
    CHECK(ended_well(child));
}

static void itself(void)
{
    char path[64], mine[PATH_MAX], again[PATH_MAX];
    snprintf(path, sizeof path, "/proc/%d/exe", (int)getpid());
    const ssize_t a = readlink(path, mine, sizeof mine), b = readlink("/proc/self/exe", again, sizeof again);
    CHECK(a > 0 && a == b && memcmp(mine, again, (size_t)a) == 0);
    snprintf(path, sizeof path, "/proc/%d/status", (int)getpid());
    FILE *status = fopen(path, "r");
    CHECK(status != NULL);
    fclose(status);
}

/* In a thread of its own: files made before the first thread are made only once for all executions. */
static void *all(void *p)
{
    files();
    made_up();
    itself();
    pthread_t t = start(sockets, NULL), u = start(sockets, folder);
    join(t);
    join(u);
    children();
    CHECK_EQ(unlink(file), 0);
    CHECK_EQ(rmdir(folder), 0);
    return p;
}

int main(void)
{
    join(start(all, NULL));
    return ok();
}
