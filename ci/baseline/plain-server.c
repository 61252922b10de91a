/*
 * The floor that serve-get is measured against: libmicrohttpd as plainly as C can use it, answering the same
 * fields and bytes as cachecheck's /get, with epoll, the same number of threads and a response made once. Head, chunk
 * and last chunk are three sends; held together by TCP_CORK they cost a third less than as three segments.
 * Every other path gets the same content by length, which is one send: what clients are measured with.
 *
 *   cc -O2 -o plain-server plain-server.c -lmicrohttpd && ./plain-server PORT
 */
#include <microhttpd.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <arpa/inet.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct MHD_Response *chunked, *sized;

static void cork(struct MHD_Connection *connection, int on) {
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    setsockopt(info->connect_fd, IPPROTO_TCP, TCP_CORK, &on, sizeof on);
}

static void completed(void *context, struct MHD_Connection *connection, void **request,
                      enum MHD_RequestTerminationCode code) {
    (void)context; (void)code;
    if (*request == &chunked) cork(connection, 0);
}

static enum MHD_Result answer(void *context, struct MHD_Connection *connection, const char *url,
                              const char *method, const char *version, const char *upload,
                              size_t *upload_size, void **request) {
    static int begun;
    (void)context; (void)method; (void)version; (void)upload; (void)upload_size;
    /* Answering in the first call would close the connection. */
    if (*request == NULL) {
        *request = &begun;
        return MHD_YES;
    }
    if (strcmp(url, "/get") != 0) return MHD_queue_response(connection, MHD_HTTP_OK, sized);
    *request = &chunked;
    cork(connection, 1);
    return MHD_queue_response(connection, MHD_HTTP_OK, chunked);
}

int main(int count, char **arguments) {
    static char body[] = "{\"data\":\"GET Method\",\"status\":\"Success\"}";
    struct sockaddr_in address = {.sin_family = AF_INET};
    if (count != 2) {
        fprintf(stderr, "usage: plain-server PORT\n");
        return 64;
    }
    address.sin_port = htons((unsigned short)atoi(arguments[1]));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    chunked = MHD_create_response_from_buffer(strlen(body), body, MHD_RESPMEM_PERSISTENT);
    MHD_add_response_header(chunked, "Content-Type", "application/json");
    MHD_add_response_header(chunked, "Transfer-Encoding", "chunked");
    sized = MHD_create_response_from_buffer(strlen(body), body, MHD_RESPMEM_PERSISTENT);
    MHD_add_response_header(sized, "Content-Type", "application/json");
    struct MHD_Daemon *daemon = MHD_start_daemon(
        MHD_USE_EPOLL_INTERNAL_THREAD, 0, NULL, NULL, answer, NULL, MHD_OPTION_SOCK_ADDR, &address,
        MHD_OPTION_NOTIFY_COMPLETED, completed, NULL, MHD_OPTION_THREAD_POOL_SIZE, 2, MHD_OPTION_CONNECTION_LIMIT, 4096,
        MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)(12 << 10), MHD_OPTION_END);
    if (daemon == NULL) {
        fprintf(stderr, "plain-server: cannot listen on port %s\n", arguments[1]);
        return 69;
    }
    sigset_t ends;
    int number;
    sigemptyset(&ends);
    sigaddset(&ends, SIGINT);
    sigaddset(&ends, SIGTERM);
    sigprocmask(SIG_BLOCK, &ends, NULL);
    sigwait(&ends, &number);
    MHD_stop_daemon(daemon);
    return 0;
}
