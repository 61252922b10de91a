#pragma once
#include <fcntl.h>
#include <linux/stat.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Reads when a file of a folder was created; returns -1 if that is not known. Swift's module of the C library has no statx. */
static inline int file_birth(int folder, const char *name, int64_t *seconds, uint32_t *nanoseconds) {
    struct statx status;
    if (syscall(SYS_statx, folder, name, AT_SYMLINK_NOFOLLOW, STATX_BTIME, &status) != 0) return -1;
    if (!(status.stx_mask & STATX_BTIME)) return -1;
    *seconds = status.stx_btime.tv_sec;
    *nanoseconds = status.stx_btime.tv_nsec;
    return 0;
}
