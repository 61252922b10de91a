#pragma once
#include <stddef.h>
#include <stdint.h>

/* What the plainest C programs over the same libraries cost: what the benchmark compares with. */

/* Both send the bytes that `CachingClient` sends. */

/* Sends `count` GETs one after another over one curl easy handle with keep-alive; writes each exchange's nanoseconds
   to `samples`. Returns 0, or curl's error. */
int baseline_easy_loop(const char *url, size_t count, int64_t *samples);

/* Sends `count` GETs with `width` in flight at a time over one curl multi handle; returns the nanoseconds of the whole,
   or a negative curl error. */
int64_t baseline_multi_loop(const char *url, size_t count, size_t width);
