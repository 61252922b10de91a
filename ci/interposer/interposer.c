/* Ends the process, or has a call fail, at the Nth call that changes a file below a folder.
 *
 * Preloaded into a program. TORTURE_FOLDER says which folder, TORTURE_MARK names a file that is created when it happens.
 * TORTURE_KILL_AT=N ends the process at the Nth call; of what that call writes, half is written before.
 * TORTURE_FAIL_AT=N has the Nth call fail with TORTURE_ERRNO, and every one after it where TORTURE_FOREVER is set.
 * TORTURE_READS counts reading, too; with TORTURE_READS=bodies, calls on body files only. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

static atomic_long calls;

static long number(const char *name) {
    const char *text = getenv(name);
    return text ? atol(text) : 0;
}

static int ends_in(const char *path, const char *end) {
    size_t length = strlen(path), count = strlen(end);
    return length >= count && strcmp(path + length - count, end) == 0;
}

static int is_below(const char *path) {
    const char *folder = getenv("TORTURE_FOLDER"), *reads = getenv("TORTURE_READS");
    if (reads && strcmp(reads, "bodies") == 0 && !ends_in(path, ".body")) return 0;
    return folder && *folder && strncmp(path, folder, strlen(folder)) == 0;
}

static int is_ours(int descriptor) {
    char name[64], path[PATH_MAX];
    snprintf(name, sizeof name, "/proc/self/fd/%d", descriptor);
    ssize_t length = readlink(name, path, sizeof path - 1);
    if (length <= 0) return 0;
    path[length] = 0;
    return is_below(path);
}

static void mark(void) {
    const char *path = getenv("TORTURE_MARK");
    if (!path) return;
    int descriptor = open(path, O_WRONLY | O_CREAT, 0600);
    if (descriptor >= 0) close(descriptor);
}

/* 0 to go on, 1 to end the process in the middle of the call, 2 to fail. */
static int verdict(void) {
    long call = atomic_fetch_add(&calls, 1) + 1, fatal = number("TORTURE_KILL_AT"), bad = number("TORTURE_FAIL_AT");
    if (fatal && call == fatal) {
        mark();
        return 1;
    }
    if (!bad || call < bad || (call > bad && !getenv("TORTURE_FOREVER"))) return 0;
    mark();
    errno = (int)number("TORTURE_ERRNO");
    return 2;
}

static void end(void) { kill(getpid(), SIGKILL); }

#define REAL(result, name, ...) \
    static result (*real)(__VA_ARGS__); \
    if (!real) real = (result (*)(__VA_ARGS__))dlsym(RTLD_NEXT, #name)

#define WRITER(name, offset_type) \
    ssize_t name(int fd, const void *bytes, size_t count, offset_type offset) { \
        REAL(ssize_t, name, int, const void *, size_t, offset_type); \
        int what = is_ours(fd) ? verdict() : 0; \
        if (what == 2) return -1; \
        if (what == 1) { real(fd, bytes, count / 2, offset); end(); } \
        return real(fd, bytes, count, offset); \
    }
WRITER(pwrite, off_t)
WRITER(pwrite64, off64_t)

#define READER(name, offset_type) \
    ssize_t name(int fd, void *bytes, size_t count, offset_type offset) { \
        REAL(ssize_t, name, int, void *, size_t, offset_type); \
        if (getenv("TORTURE_READS") && is_ours(fd) && verdict() == 2) return -1; \
        return real(fd, bytes, count, offset); \
    }
READER(pread, off_t)
READER(pread64, off64_t)

ssize_t write(int fd, const void *bytes, size_t count) {
    REAL(ssize_t, write, int, const void *, size_t);
    int what = is_ours(fd) ? verdict() : 0;
    if (what == 2) return -1;
    if (what == 1) { real(fd, bytes, count / 2); end(); }
    return real(fd, bytes, count);
}

#define CHANGER(name, length_type) \
    int name(int fd, length_type length) { \
        REAL(int, name, int, length_type); \
        int what = is_ours(fd) ? verdict() : 0; \
        if (what == 2) return -1; \
        if (what == 1) end(); \
        return real(fd, length); \
    }
CHANGER(ftruncate, off_t)
CHANGER(ftruncate64, off64_t)

#define SYNCER(name) \
    int name(int fd) { \
        REAL(int, name, int); \
        int what = is_ours(fd) ? verdict() : 0; \
        if (what == 2) return -1; \
        if (what == 1) end(); \
        return real(fd); \
    }
SYNCER(fsync)
SYNCER(fdatasync)

int rename(const char *from, const char *to) {
    REAL(int, rename, const char *, const char *);
    int what = is_below(from) ? verdict() : 0;
    if (what == 2) return -1;
    if (what == 1) end();
    return real(from, to);
}

int unlink(const char *path) {
    REAL(int, unlink, const char *);
    int what = is_below(path) ? verdict() : 0;
    if (what == 2) return -1;
    if (what == 1) end();
    return real(path);
}
