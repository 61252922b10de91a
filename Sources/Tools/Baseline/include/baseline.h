#pragma once
#include <stddef.h>
#include <stdint.h>

/* What the plainest C programs over the same libraries cost: what the benchmark compares with. */

/* Both send the bytes that `CachingClient` sends. */

/* Sends `count` GETs one after another over one curl easy handle with keep-alive; writes each exchange's nanoseconds
   to `samples`. Returns 0, or curl's error. */
int baseline_easy_loop(const char *url, size_t count, int64_t *samples);

/* A curl multi handle that keeps its connections from one run to the next. */
struct baseline_multi;

/* Whether an easy handle of this libcurl may carry one transfer after another: not before 8.1.0, where the first field
   line of a response, if it is folded, is written to freed memory of the transfer before. */
int baseline_may_reuse_handles(void);

struct baseline_multi *baseline_multi_open(const char *url, size_t width, int reuses_handles);

/* Sends `count` GETs with `width` in flight at a time; returns the nanoseconds of the whole, or a negative curl
   error, after which it must be closed. */
int64_t baseline_multi_run(struct baseline_multi *loop, size_t count);

void baseline_multi_close(struct baseline_multi *loop);

/* Keeps the calling thread, and the threads and programs that it starts, on the first processor or on the last. */
void baseline_pin(int to_last);

/* Lets the calling thread go where the program may. */
void baseline_unpin(void);
