"""What the client toxiproxy-python does with a Toxiproxy server, checked against the program in the first argument."""

import contextlib
import http.client
import re
import subprocess
import sys
import threading
import time
import unittest
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from toxiproxy import Toxiproxy
from toxiproxy.exceptions import InvalidToxic, NotFound, ProxyExists
from toxiproxy.api import APIConsumer


class Origin(BaseHTTPRequestHandler):
    """Answers every request with ten bytes."""

    def do_GET(self):
        # A proxy whose toxic ends the connection does not wait for the response.
        with contextlib.suppress(ConnectionError):
            self.send_response(200)
            self.send_header("Content-Length", "10")
            self.end_headers()
            self.wfile.write(b"0123456789")

    def log_message(self, *arguments):
        pass


def fetch(proxy):
    """Returns the content and the seconds of a request through a proxy."""
    host, port = proxy.listen.rsplit(":", 1)
    began = time.monotonic()
    connection = http.client.HTTPConnection(host, int(port), timeout=10)
    try:
        connection.request("GET", "/")
        return connection.getresponse().read(), time.monotonic() - began
    finally:
        connection.close()


class ClientTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.origin = ThreadingHTTPServer(("127.0.0.1", 0), Origin)
        threading.Thread(target=cls.origin.serve_forever, daemon=True).start()
        cls.upstream = "127.0.0.1:%d" % cls.origin.server_port
        cls.program = subprocess.Popen(
            [sys.argv[1], "proxy", "--toxiproxy-port", "0"], stdout=subprocess.PIPE, text=True
        )
        port = int(re.search(r":(\d+)$", cls.program.stdout.readline().strip()).group(1))
        cls.server = Toxiproxy()
        cls.server.update_api_consumer("127.0.0.1", port)

    @classmethod
    def tearDownClass(cls):
        cls.program.terminate()
        cls.program.wait(10)
        cls.program.stdout.close()
        cls.origin.shutdown()
        cls.origin.server_close()

    def tearDown(self):
        self.server.destroy_all()

    def create(self, name="origin"):
        return self.server.create(upstream=self.upstream, name=name)

    def test_running_and_version(self):
        self.assertTrue(self.server.running())
        self.assertIn(b"2.12", self.server.version())

    def test_proxies(self):
        proxy = self.create()
        self.assertEqual((proxy.name, proxy.upstream, proxy.enabled), ("origin", self.upstream, True))
        self.assertEqual(list(self.server.proxies()), ["origin"])
        self.assertEqual(fetch(proxy)[0], b"0123456789")
        with self.assertRaises(ProxyExists):
            self.create()
        # The client checks the name itself; the server has to as well.
        with self.assertRaises(ProxyExists):
            APIConsumer.post("/proxies", json={"name": "origin", "upstream": self.upstream})
        self.assertTrue(self.server.destroy(proxy))
        self.assertIsNone(self.server.get_proxy("origin"))
        with self.assertRaises(NotFound):
            APIConsumer.get("/proxies/origin")

    def test_populate(self):
        definitions = [
            {"name": name, "upstream": self.upstream, "listen": "127.0.0.1:0"} for name in ("a", "b")
        ]
        self.assertEqual([proxy.name for proxy in self.server.populate(definitions)], ["a", "b"])
        self.assertEqual(sorted(self.server.proxies()), ["a", "b"])

    def test_down(self):
        proxy = self.create()
        with proxy.down():
            with self.assertRaises(ConnectionRefusedError):
                fetch(proxy)
        self.assertEqual(fetch(proxy)[0], b"0123456789")

    def test_toxics(self):
        proxy = self.create()
        proxy.add_toxic(type="latency", attributes={"latency": 300, "jitter": 0})
        proxy.add_toxic(type="slicer", stream="upstream", name="slices", attributes={"average_size": 3})
        self.assertEqual(list(proxy.toxics()), ["latency_downstream", "slices"])
        toxic = proxy.get_toxic("latency_downstream")
        self.assertEqual((toxic.stream, toxic.toxicity, toxic.attributes["latency"]), ("downstream", 1, 300))
        content, seconds = fetch(proxy)
        self.assertEqual(content, b"0123456789")
        self.assertGreaterEqual(seconds, 0.3)
        self.assertTrue(proxy.destroy_toxic("latency_downstream"))
        self.assertEqual(list(proxy.toxics()), ["slices"])
        self.assertTrue(self.server.reset())
        self.assertEqual(proxy.toxics(), {})

    def test_faults(self):
        for toxic, attributes, problem in [
            ("limit_data", {"bytes": 10}, http.client.BadStatusLine),
            ("reset_peer", {"timeout": 0}, ConnectionResetError),
            ("timeout", {"timeout": 100}, http.client.RemoteDisconnected),
        ]:
            with self.subTest(toxic):
                proxy = self.create(toxic)
                proxy.add_toxic(type=toxic, attributes=attributes)
                with self.assertRaises(problem):
                    fetch(proxy)

    def test_bandwidth_of_zero(self):
        proxy = self.create()
        proxy.add_toxic(type="bandwidth", attributes={"rate": 0})
        contents = []
        request = threading.Thread(target=lambda: contents.append(fetch(proxy)[0]), daemon=True)
        request.start()
        request.join(0.3)
        self.assertEqual(contents, [])
        self.assertTrue(proxy.destroy_toxic("bandwidth_downstream"))
        request.join(10)
        self.assertEqual(contents, [b"0123456789"])

    def test_invalid(self):
        proxy = self.create()
        with self.assertRaises(InvalidToxic):
            proxy.add_toxic(type="none")
        with self.assertRaises(InvalidToxic):
            proxy.add_toxic(type="latency", stream="sideways")
        proxy.add_toxic(type="latency")
        with self.assertRaises(ProxyExists):
            proxy.add_toxic(type="latency")
        with self.assertRaises(NotFound):
            proxy.destroy_toxic("missing")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
