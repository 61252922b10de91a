#pragma once
#include <string.h>
#include <curl/curl.h>

/* curl_easy_setopt, curl_easy_getinfo, curl_share_setopt and curl_multi_setopt are variadic, which Swift does not import:
   one typed wrapper for each type of value. */

static inline CURLcode cachecheck_set_long(CURL *easy, CURLoption option, long value) {
    return curl_easy_setopt(easy, option, value);
}
static inline CURLcode cachecheck_set_offset(CURL *easy, CURLoption option, curl_off_t value) {
    return curl_easy_setopt(easy, option, value);
}
static inline CURLcode cachecheck_set_text(CURL *easy, CURLoption option, const char *value) {
    return curl_easy_setopt(easy, option, value);
}
static inline CURLcode cachecheck_set_pointer(CURL *easy, CURLoption option, void *value) {
    return curl_easy_setopt(easy, option, value);
}
static inline CURLcode cachecheck_set_list(CURL *easy, CURLoption option, struct curl_slist *value) {
    return curl_easy_setopt(easy, option, value);
}
static inline CURLcode cachecheck_set_data_callback(
    CURL *easy, CURLoption option, size_t (*value)(char *, size_t, size_t, void *)) {
    return curl_easy_setopt(easy, option, value);
}
static inline CURLcode cachecheck_set_seek_callback(CURL *easy, int (*value)(void *, curl_off_t, int)) {
    return curl_easy_setopt(easy, CURLOPT_SEEKFUNCTION, value);
}
static inline CURLcode cachecheck_set_open_callback(
    CURL *easy, curl_socket_t (*value)(void *, curlsocktype, struct curl_sockaddr *)) {
    return curl_easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, value);
}
static inline CURLcode cachecheck_set_close_callback(CURL *easy, int (*value)(void *, curl_socket_t)) {
    return curl_easy_setopt(easy, CURLOPT_CLOSESOCKETFUNCTION, value);
}
static inline CURLcode cachecheck_set_request_callback(
    CURL *easy, int (*value)(void *, char *, char *, int, int)) {
    return curl_easy_setopt(easy, CURLOPT_PREREQFUNCTION, value);
}
/* libcurl copies the bytes; none takes an earlier blob away. */
static inline CURLcode cachecheck_set_blob(CURL *easy, CURLoption option, const void *bytes, size_t count) {
    struct curl_blob blob = {(void *)bytes, count, CURL_BLOB_COPY};
    return curl_easy_setopt(easy, option, bytes ? &blob : NULL);
}
static inline CURLcode cachecheck_set_progress_callback(
    CURL *easy, int (*value)(void *, curl_off_t, curl_off_t, curl_off_t, curl_off_t)) {
    return curl_easy_setopt(easy, CURLOPT_XFERINFOFUNCTION, value);
}
/* OpenSSL's object of the connection; NULL where there is no connection, or another library speaks TLS. */
static inline void *cachecheck_get_openssl(CURL *easy) {
    struct curl_tlssessioninfo *session = NULL;
    if (curl_easy_getinfo(easy, CURLINFO_TLS_SSL_PTR, &session) != CURLE_OK || !session) return NULL;
    return session->backend == CURLSSLBACKEND_OPENSSL ? session->internals : NULL;
}
/* The server's own certificate in PEM, where CURLOPT_CERTINFO asked for it; NULL where there is none. */
static inline const char *cachecheck_get_certificate(CURL *easy) {
    struct curl_certinfo *certificates = NULL;
    if (curl_easy_getinfo(easy, CURLINFO_CERTINFO, &certificates) != CURLE_OK || !certificates) return NULL;
    if (certificates->num_of_certs < 1) return NULL;
    for (struct curl_slist *line = certificates->certinfo[0]; line; line = line->next) {
        if (strncmp(line->data, "Cert:", 5) == 0) return line->data + 5;
    }
    return NULL;
}
/* Where libcurl was built to find the system's authorities. */
static inline const char *cachecheck_default_ca_file(void) {
    return curl_version_info(CURLVERSION_NOW)->cainfo;
}
static inline const char *cachecheck_default_ca_folder(void) {
    return curl_version_info(CURLVERSION_NOW)->capath;
}
/* 0xMMmmpp of the library that is there, which need not be the one of the build. */
static inline unsigned int cachecheck_version_number(void) {
    return curl_version_info(CURLVERSION_NOW)->version_num;
}
static inline long cachecheck_get_long(CURL *easy, CURLINFO info) {
    long value = 0;
    curl_easy_getinfo(easy, info, &value);
    return value;
}
static inline curl_off_t cachecheck_get_offset(CURL *easy, CURLINFO info) {
    curl_off_t value = 0;
    curl_easy_getinfo(easy, info, &value);
    return value;
}
static inline void *cachecheck_get_private(CURL *easy) {
    char *value = NULL;
    curl_easy_getinfo(easy, CURLINFO_PRIVATE, &value);
    return value;
}
static inline CURLSHcode cachecheck_share_data(CURLSH *share, curl_lock_data data) {
    return curl_share_setopt(share, CURLSHOPT_SHARE, data);
}
static inline CURLMcode cachecheck_multi_set_long(CURLM *multi, CURLMoption option, long value) {
    return curl_multi_setopt(multi, option, value);
}
static inline CURLMcode cachecheck_multi_set_socket_callback(
    CURLM *multi, int (*value)(CURL *, curl_socket_t, int, void *, void *), void *context) {
    curl_multi_setopt(multi, CURLMOPT_SOCKETDATA, context);
    return curl_multi_setopt(multi, CURLMOPT_SOCKETFUNCTION, value);
}
static inline CURLMcode cachecheck_multi_set_timer_callback(
    CURLM *multi, int (*value)(CURLM *, long, void *), void *context) {
    curl_multi_setopt(multi, CURLMOPT_TIMERDATA, context);
    return curl_multi_setopt(multi, CURLMOPT_TIMERFUNCTION, value);
}
/* CURLMsg holds a union: returns the next transfer that has ended, or NULL. */
static inline CURL *cachecheck_multi_next_done(CURLM *multi, CURLcode *result) {
    int left = 0;
    CURLMsg *message;
    while ((message = curl_multi_info_read(multi, &left))) {
        if (message->msg != CURLMSG_DONE) continue;
        *result = message->data.result;
        return message->easy_handle;
    }
    return NULL;
}
