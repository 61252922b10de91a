"""What the Python client and its pytest plugin promise, checked with the program that CACHECHECK names."""

import http.client
import os
import socket
import ssl
import subprocess
import sys
import urllib.error
import urllib.request

import pytest

import cachecheck


def get(url):
    """Returns the status and the content."""
    try:
        with urllib.request.urlopen(url, timeout=20) as response:
            return response.status, response.read()
    except urllib.error.HTTPError as error:
        with error:
            return error.code, error.read()


def free_port():
    """Returns a port of 127.0.0.1 on which nothing listens."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


@pytest.fixture
def origin(cachecheck_serve):
    origin = cachecheck_serve()
    origin.add_routes({"label": "hello", "path": "/hello", "answer": {"fields": {"Cache-Control": "max-age=60"}, "body": "hello"}})
    return origin


def test_routes_answer_and_the_journal_lists_requests(origin):
    assert get(origin.url + "/hello") == (200, b"hello")
    assert [exchange["target"] for exchange in origin.journal()] == ["/hello"]
    origin.clear_journal()
    assert origin.journal() == []


def test_a_folder_is_served(cachecheck_serve, tmp_path):
    (tmp_path / "hello.txt").write_text("hello")
    assert get(cachecheck_serve(tmp_path).url + "/hello.txt") == (200, b"hello")


def test_a_stopped_clock_moves_only_when_it_is_advanced(cachecheck_serve):
    origin = cachecheck_serve()
    origin.stop_clock()
    before = origin.control("GET", "/clock")
    after = origin.advance("61s")
    assert before != after
    assert origin.control("GET", "/clock") == after


def test_faults_of_the_proxy_happen_where_the_journal_says(origin, cachecheck_proxy):
    proxy = cachecheck_proxy(origin.url)
    proxy.set_faults("reset@body:2 requests=1", seed=7)
    with pytest.raises((ConnectionResetError, http.client.IncompleteRead, urllib.error.URLError)):
        get(proxy.url + "/hello")
    assert get(proxy.url + "/hello") == (200, b"hello")
    assert [entry["injected"] for entry in proxy.journal()] == [["reset@body:2"], []]
    assert len(proxy.journal(after=1)) == 1


def test_rules_answer_in_turn_and_a_reset_restarts_them(origin, cachecheck_proxy):
    proxy = cachecheck_proxy(origin.url)
    proxy.set_rules({"path": "/hello", "answers": [{"status": 503}, "pass"]})
    assert [get(proxy.url + "/hello")[0] for _ in range(3)] == [503, 200, 200]
    assert proxy.rules()["rules"][0]["requests"] == 3
    proxy.reset()
    assert get(proxy.url + "/hello")[0] == 503


def test_a_proxy_with_tls_has_an_https_url(origin, cachecheck_proxy, tmp_path):
    proxy = cachecheck_proxy(origin.url, "--tls", "--ca-dir", str(tmp_path / "ca"))
    context = ssl.create_default_context(cafile=str(tmp_path / "ca" / "ca.pem"))
    with urllib.request.urlopen(proxy.url + "/hello", context=context, timeout=20) as response:
        assert response.read() == b"hello"


def test_a_forward_proxy_breaks_requests_within_tls(cachecheck_serve, cachecheck_forward_proxy, tmp_path):
    (tmp_path / "site").mkdir()
    (tmp_path / "site" / "hello.txt").write_text("hello")
    port = free_port()
    cachecheck_serve(tmp_path / "site", "--tls", "--tls-port", str(port), "--ca-dir", str(tmp_path / "ca"))
    proxy = cachecheck_forward_proxy(
        "--upstream-ca", str(tmp_path / "ca" / "ca.pem"), intercept=["127.0.0.1"], allow=["127.0.0.0/8"], ca_dir=tmp_path / "ca"
    )
    proxy.set_faults("status=503@before-head requests=1")
    context = ssl.create_default_context(cafile=proxy.authority)
    opener = urllib.request.build_opener(
        urllib.request.ProxyHandler(proxy.proxies), urllib.request.HTTPSHandler(context=context)
    )
    url = f"https://127.0.0.1:{port}/hello.txt"
    with pytest.raises(urllib.error.HTTPError, match="503"):
        opener.open(url, timeout=20)
    with opener.open(url, timeout=20) as response:
        assert response.read() == b"hello"
    assert [entry["target"] for entry in proxy.journal()] == [url, url]


def test_a_program_uses_the_forward_proxy_of_its_environment(origin, cachecheck_forward_proxy):
    proxy = cachecheck_forward_proxy(allow=["127.0.0.0/8"])
    program = f"import urllib.request; print(urllib.request.urlopen('{origin.url}/hello').read().decode())"
    result = subprocess.run(
        [sys.executable, "-c", program], env={**os.environ, **proxy.environment}, capture_output=True, text=True, timeout=30
    )
    assert result.stdout == "hello\n"
    assert [entry["target"] for entry in proxy.journal()] == [origin.url + "/hello"]


def test_a_network_is_set_and_removed(origin, cachecheck_proxy):
    proxy = cachecheck_proxy(origin.url)
    assert proxy.set_network("apple:3g")["network"] == "apple:3g"
    proxy.set_network(None)
    assert proxy.control("GET", "/network")["network"] is None


def test_the_gateway_stores_and_purges(origin, cachecheck_gateway):
    gateway = cachecheck_gateway(origin.url)
    for _ in range(3):
        assert get(gateway.url + "/hello") == (200, b"hello")
    assert len(origin.journal()) == 1
    gateway.purge()
    get(gateway.url + "/hello")
    assert len(origin.journal()) == 2


def test_a_rejected_request_says_why(cachecheck_proxy):
    proxy = cachecheck_proxy("http://127.0.0.1:9")
    with pytest.raises(cachecheck.CacheCheckError, match="body:1") as problem:
        proxy.set_faults("nothing@all")
    assert problem.value.status == 422


def test_a_program_that_does_not_start_says_why():
    with pytest.raises(cachecheck.CacheCheckError, match="--upstream: found nowhere"):
        cachecheck.proxy("nowhere")
    with pytest.raises(cachecheck.CacheCheckError, match="does not start"):
        cachecheck.serve(program="/nonexistent")


def test_the_server_ends_with_its_block():
    with cachecheck.serve() as origin:
        assert get(origin.url + "/get")[0] == 200
    origin.stop()
    with pytest.raises(OSError):
        get(origin.url + "/get")
