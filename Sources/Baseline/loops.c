#include "baseline.h"

#include <curl/curl.h>
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

int64_t baseline_multi_loop(const char *url, size_t count, size_t width) {
    CURLM *multi = curl_multi_init();
    CURL **handles = calloc(width, sizeof(CURL *));
    struct curl_slist *fields = make_fields();
    size_t started = 0, finished = 0;
    int64_t failure = 0;
    int64_t begun = now();
    for (; started < width && started < count; started++) {
        handles[started] = make_handle(url, fields);
        curl_multi_add_handle(multi, handles[started]);
    }
    while (finished < count && failure == 0) {
        int running = 0, queued = 0;
        curl_multi_perform(multi, &running);
        CURLMsg *message;
        while ((message = curl_multi_info_read(multi, &queued)) != NULL) {
            if (message->msg != CURLMSG_DONE) continue;
            CURL *handle = message->easy_handle;
            if (message->data.result != CURLE_OK) failure = -(int64_t)message->data.result;
            curl_multi_remove_handle(multi, handle);
            finished++;
            if (started < count) {
                started++;
                curl_multi_add_handle(multi, handle);
            }
        }
        if (finished < count) curl_multi_poll(multi, NULL, 0, 1000, NULL);
    }
    int64_t elapsed = now() - begun;
    for (size_t index = 0; index < width; index++) {
        if (handles[index] == NULL) continue;
        curl_multi_remove_handle(multi, handles[index]);
        curl_easy_cleanup(handles[index]);
    }
    free(handles);
    curl_slist_free_all(fields);
    curl_multi_cleanup(multi);
    return failure < 0 ? failure : elapsed;
}
