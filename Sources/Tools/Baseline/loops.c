#define _GNU_SOURCE
#include "baseline.h"

#include <curl/curl.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <time.h>

static int64_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

static size_t discard(char *bytes, size_t size, size_t count, void *context) {
    (void)bytes;
    (void)context;
    return size * count;
}

/* The fields of the client that is compared, so that both send the same bytes. */
static struct curl_slist *make_fields(void) {
    return curl_slist_append(curl_slist_append(NULL, "Accept-Encoding: gzip, deflate"), "Accept:");
}

static CURL *make_handle(const char *url, struct curl_slist *fields) {
    CURL *handle = curl_easy_init();
    curl_easy_setopt(handle, CURLOPT_HTTPHEADER, fields);
    curl_easy_setopt(handle, CURLOPT_URL, url);
    curl_easy_setopt(handle, CURLOPT_WRITEFUNCTION, discard);
    curl_easy_setopt(handle, CURLOPT_NOSIGNAL, 1L);
    return handle;
}

int baseline_easy_loop(const char *url, size_t count, int64_t *samples) {
    struct curl_slist *fields = make_fields();
    CURL *handle = make_handle(url, fields);
    CURLcode code = CURLE_OK;
    for (size_t index = 0; index < count && code == CURLE_OK; index++) {
        int64_t started = now();
        code = curl_easy_perform(handle);
        samples[index] = now() - started;
    }
    curl_easy_cleanup(handle);
    curl_slist_free_all(fields);
    return (int)code;
}

struct baseline_multi {
    CURLM *multi;
    CURL **handles;
    /* Of which each handle is a copy that carries one transfer; NULL if handles are reused. */
    CURL *prototype;
    size_t width;
    struct curl_slist *fields;
};

int baseline_may_reuse_handles(void) { return curl_version_info(CURLVERSION_NOW)->version_num >= 0x080100; }

struct baseline_multi *baseline_multi_open(const char *url, size_t width, int reuses_handles) {
    struct baseline_multi *loop = calloc(1, sizeof *loop);
    loop->multi = curl_multi_init();
    loop->handles = calloc(width, sizeof(CURL *));
    loop->width = width;
    loop->fields = make_fields();
    if (!reuses_handles) loop->prototype = make_handle(url, loop->fields);
    for (size_t index = 0; index < width; index++) loop->handles[index] = make_handle(url, loop->fields);
    return loop;
}

/* Returns the handle for the transfer after that of `handle`. */
static CURL *next_handle(struct baseline_multi *loop, CURL *handle) {
    if (loop->prototype == NULL) return handle;
    size_t place = 0;
    while (loop->handles[place] != handle) place++;
    /* Freed first, so that the copy can use its memory. */
    curl_easy_cleanup(handle);
    return loop->handles[place] = curl_easy_duphandle(loop->prototype);
}

int64_t baseline_multi_run(struct baseline_multi *loop, size_t count) {
    size_t started = 0, finished = 0;
    int64_t failure = 0;
    int64_t begun = now();
    for (; started < loop->width && started < count; started++)
        curl_multi_add_handle(loop->multi, loop->handles[started]);
    while (finished < count && failure == 0) {
        int running = 0, queued = 0;
        curl_multi_perform(loop->multi, &running);
        CURLMsg *message;
        while ((message = curl_multi_info_read(loop->multi, &queued)) != NULL) {
            if (message->msg != CURLMSG_DONE) continue;
            CURL *handle = message->easy_handle;
            if (message->data.result != CURLE_OK) failure = -(int64_t)message->data.result;
            curl_multi_remove_handle(loop->multi, handle);
            finished++;
            handle = next_handle(loop, handle);
            if (started < count) {
                started++;
                curl_multi_add_handle(loop->multi, handle);
            }
        }
        if (finished < count) curl_multi_poll(loop->multi, NULL, 0, 1000, NULL);
    }
    return failure < 0 ? failure : now() - begun;
}

void baseline_multi_close(struct baseline_multi *loop) {
    for (size_t index = 0; index < loop->width; index++) {
        curl_multi_remove_handle(loop->multi, loop->handles[index]);
        curl_easy_cleanup(loop->handles[index]);
    }
    free(loop->handles);
    if (loop->prototype) curl_easy_cleanup(loop->prototype);
    curl_slist_free_all(loop->fields);
    curl_multi_cleanup(loop->multi);
    free(loop);
}

static cpu_set_t all_processors;
static pthread_once_t processors_known = PTHREAD_ONCE_INIT;

static void find_processors(void) { sched_getaffinity(0, sizeof all_processors, &all_processors); }

void baseline_pin(int to_last) {
    pthread_once(&processors_known, find_processors);
    int chosen = -1;
    for (int number = 0; number < CPU_SETSIZE; number++) {
        if (!CPU_ISSET(number, &all_processors)) continue;
        chosen = number;
        if (!to_last) break;
    }
    if (chosen < 0) return;
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(chosen, &one);
    sched_setaffinity(0, sizeof one, &one);
}

void baseline_unpin(void) {
    pthread_once(&processors_known, find_processors);
    sched_setaffinity(0, sizeof all_processors, &all_processors);
}
