# requires: hishel[httpx]==1.1.8 httpx==0.28.1
"""hishel behind a port, for ci/differential: a proxy for one origin, with a cache for each first segment of a path.

hishel_proxy.py PORT ORIGIN-PORT
"""
import http.server
import sqlite3
import sys
import threading

import hishel
import httpx
from hishel.httpx import SyncCacheClient

PORT, ORIGIN = int(sys.argv[1]), int(sys.argv[2])
DROPPED = {"connection", "host", "content-length", "transfer-encoding", "keep-alive"}
clients, lock = {}, threading.Lock()


def client_of(path):
    place = path.split("/")[1]
    with lock:
        if place not in clients:
            connection = sqlite3.connect(":memory:", check_same_thread=False)
            storage = hishel.SyncSqliteStorage(connection=connection)
            policy = hishel.SpecificationPolicy(cache_options=hishel.CacheOptions(shared=True))
            clients[place] = SyncCacheClient(storage=storage, policy=policy, trust_env=False, timeout=60,
                                             limits=httpx.Limits(max_keepalive_connections=0))
        return clients[place]


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def answer(self):
        length = int(self.headers.get("Content-Length", 0))
        content = self.rfile.read(length) if length else None
        fields = [(n, v) for n, v in self.headers.items() if n.lower() not in DROPPED]
        client = client_of(self.path)
        try:
            request = client.build_request(self.command, f"http://127.0.0.1:{ORIGIN}{self.path}", headers=fields,
                                           content=content)
            response = client.send(request, follow_redirects=False)
            body = response.content
        except httpx.HTTPError:
            self.send_response_only(502)
            self.send_header("Content-Length", "0")
            return self.end_headers()
        self.send_response_only(response.status_code)
        for name, value in response.headers.multi_items():
            if name.lower() not in DROPPED:
                self.send_header(name, value)
        if self.command != "HEAD" and response.status_code not in (204, 304):
            self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def __getattr__(self, name):
        if name.startswith("do_"):
            return self.answer
        raise AttributeError(name)

    def log_message(self, *_):
        pass


class Server(http.server.ThreadingHTTPServer):
    request_queue_size = 512
    daemon_threads = True


Server(("127.0.0.1", PORT), Handler).serve_forever()
