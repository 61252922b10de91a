"""Starts CacheCheck's servers and controls them; needs nothing but Python 3.8 and the program.

    import cachecheck

    with cachecheck.proxy("http://127.0.0.1:8000") as proxy:
        proxy.set_faults("reset@body:20000 path=/big.bin requests=1")
        ...  # the code under test uses proxy.url
        assert proxy.journal()[0]["injected"] == ["reset@body:20000"]

`serve`, `proxy`, `forward_proxy` and `gateway` start `cachecheck serve`, `proxy` and `gateway` on free ports of 127.0.0.1 and
stop them at the end of the `with` block. The pytest plugin `cachecheck_pytest` has a fixture for each. The program is the argument
`program`, the environment variable CACHECHECK, the one that this package contains, or `cachecheck` on the PATH.
"""

import json
import os
import pathlib
import queue
import re
import shutil
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.parse
import urllib.request

__all__ = ["CacheCheckError", "Server", "MockOrigin", "Proxy", "ForwardProxy", "Gateway", "serve", "proxy",
           "forward_proxy", "gateway", "find_program"]


class CacheCheckError(Exception):
    """A program that does not start, or a request that its control API rejects; `status` is that of the response."""

    def __init__(self, message, status=None):
        super().__init__(message)
        self.status = status


def find_program():
    """Returns the path of the program; raises CacheCheckError if there is none."""
    own = pathlib.Path(__file__).parent / "bin" / "cachecheck"
    for path in (os.environ.get("CACHECHECK"), str(own) if own.exists() else None, shutil.which("cachecheck")):
        if path:
            return path
    raise CacheCheckError("found no program cachecheck, expected it on the PATH or in the variable CACHECHECK")


class Server:
    """A running server with a control API; a context manager that stops it at its end.

    `arguments` are those of the program without ports. `program` is its path, by default that of `find_program()`.
    `start_timeout` is the number of seconds after which a start has failed.
    """

    def __init__(self, *arguments, program=None, start_timeout=30):
        command = [program or find_program(), *arguments, "--port", "0", "--control-port", "0"]
        try:
            self._process = subprocess.Popen(
                command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL, text=True
            )
        except OSError as error:
            raise CacheCheckError(f"{command[0]} does not start: {error}") from error
        self._lines, self._errors = queue.Queue(), []
        self._threads = [
            threading.Thread(target=self._read, args=(self._process.stdout, self._lines.put), daemon=True),
            threading.Thread(target=self._read, args=(self._process.stderr, self._errors.append), daemon=True),
        ]
        for thread in self._threads:
            thread.start()
        try:
            #: The URL of the server without the slash at the end.
            self.url = self._await(r"(?:Listening|Serving .+) on (https?://[^ ]+)", start_timeout)
            #: The URL of the control API; `openapi.json` below it describes all operations.
            self.control_url = self._await(r"Control API on (http://[^,]+)", start_timeout)
            self._token = self._await(r"Authorization: Bearer ([^']+)'", start_timeout)
        except CacheCheckError:
            self.stop()
            raise

    @staticmethod
    def _read(stream, take):
        with stream:
            for line in stream:
                take(line)
        take("")

    def _await(self, pattern, timeout):
        deadline = time.monotonic() + timeout
        while True:
            try:
                line = self._lines.get(timeout=max(0.0, deadline - time.monotonic()))
            except queue.Empty:
                raise CacheCheckError(f"cachecheck did not start within {timeout} s") from None
            if not line:
                self._threads[1].join(5)
                raise CacheCheckError(f"cachecheck did not start: {''.join(self._errors).strip()}")
            found = re.search(pattern, line)
            if found:
                return found.group(1)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()

    def stop(self):
        """Stops the server; may be called more than once."""
        if self._process.poll() is None:
            self._process.terminate()
            try:
                self._process.wait(10)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()
        for thread in self._threads:
            thread.join(5)

    def control(self, method, path, content=None):
        """Performs an operation of the control API and returns its JSON, `None` for no content."""
        data = None if content is None else json.dumps(content).encode()
        request = urllib.request.Request(self.control_url + path, data, method=method)
        request.add_header("Authorization", f"Bearer {self._token}")
        # The proxies of the environment are for other hosts.
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        try:
            with opener.open(request, timeout=60) as response:
                text = response.read()
        except urllib.error.HTTPError as error:
            with error:
                raise CacheCheckError(f"{method} {path}: {error.read().decode().strip()}", error.code) from None
        return json.loads(text) if text else None


class _FaultyServer(Server):
    """The operations that the mock origin and the proxy have in common."""

    def set_faults(self, *faults, seed=None):
        """Replaces the faults of all requests, such as "reset@body:20000 requests=1"; none removes all."""
        content = {"faults": list(faults)}
        if seed is not None:
            content["seed"] = seed
        return self.control("PUT", "/faults", content)

    def decisions(self):
        """Returns the random decisions, in the order in which they were drawn."""
        return self.control("GET", "/faults")["decisions"]

    def set_network(self, network):
        """Emulates a network, such as "apple:3g"; `None` removes it."""
        if network is None:
            return self.control("DELETE", "/network")
        return self.control("PUT", "/network", {"network": network})

    def release(self, label=None):
        """Releases held responses, those of one rule or route or all; returns how many were released."""
        return self.control("POST", "/release", {} if label is None else {"label": label})["released"]

    def clear_journal(self):
        """Removes all exchanges from the journal."""
        self.control("DELETE", "/journal")

    def reset(self):
        """Restores the initial state, except the clock."""
        self.control("POST", "/reset")


class MockOrigin(_FaultyServer):
    """`cachecheck serve`: a mock origin."""

    def add_routes(self, *routes):
        """Adds routes, as in site files, before the others; returns their labels."""
        return self.control("POST", "/routes", list(routes))

    def set_routes(self, *routes):
        """Replaces all routes."""
        return self.control("PUT", "/routes", list(routes))

    def journal(self):
        """Returns the last exchanges, oldest first."""
        return self.control("GET", "/journal")["exchanges"]

    def stop_clock(self):
        """Stops the clock, so that only `advance` moves it."""
        return self.control("PUT", "/clock", {"running": False})

    def advance(self, duration):
        """Advances the clock by a duration such as "61s"; what becomes due happens before this returns."""
        return self.control("POST", "/clock/advance", {"by": duration})


class Proxy(_FaultyServer):
    """`cachecheck proxy`: a proxy that injects faults."""

    def set_rules(self, *rules, faults=()):
        """Replaces the rules, each a dictionary with the keys of a rule file; equal rules keep their counts."""
        content = {"rules": list(rules)}
        if faults:
            content["faults"] = list(faults)
        return self.control("PUT", "/rules", content)

    def rules(self):
        """Returns the rules, the number of requests that each has matched, and the states."""
        return self.control("GET", "/rules")

    def journal(self, after=None):
        """Returns the last exchanges, with what was injected and where; `after` is the number of one."""
        return self.control("GET", "/journal" + ("" if after is None else f"?after={after}"))["entries"]


class ForwardProxy(Proxy):
    """`cachecheck proxy --forward`: a forward proxy that injects faults; `url` is that of the proxy itself."""

    #: The file of the authority that signs the certificates of intercepted hosts.
    authority = None

    @property
    def proxies(self):
        """The argument `proxies` of `requests`."""
        return {"http": self.url, "https": self.url}

    @property
    def environment(self):
        """The environment variables that make most programs use the proxy and trust its authority."""
        names = ["HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy"]
        variables = {**dict.fromkeys(names, self.url), "NO_PROXY": "", "no_proxy": "", "NODE_USE_ENV_PROXY": "1"}
        if self.authority:
            names = ["SSL_CERT_FILE", "REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE", "NODE_EXTRA_CA_CERTS"]
            variables.update(dict.fromkeys(names, self.authority))
        return variables


class Gateway(Server):
    """`cachecheck gateway`: a caching gateway."""

    def metrics(self):
        """Returns the gateway's metrics."""
        return self.control("GET", "/metrics")

    def purge(self, **selection):
        """Removes stored responses: `url`, `prefix`, `tag` or `origin`; without an argument all."""
        query = urllib.parse.urlencode(selection) if selection else "all"
        return self.control("POST", f"/purge?{query}")


def serve(folder=None, *arguments, **options):
    """Starts a mock origin; `folder` is that of a site, `arguments` are further options of `cachecheck serve`."""
    return MockOrigin("serve", *([str(folder)] if folder else []), *arguments, **options)


def proxy(upstream, *arguments, **options):
    """Starts a proxy in front of `upstream`, http://host:port; `arguments` are further options."""
    return Proxy("proxy", "--upstream", upstream, *arguments, **options)


def forward_proxy(*arguments, intercept=(), allow=(), ca_dir="build/ca", **options):
    """Starts a forward proxy.

    `intercept` are hosts whose TLS is terminated, such as "example.com" or "*", by the authority in the folder `ca_dir`;
    `allow` are addresses that are not public and may be connected to, such as "127.0.0.0/8". `arguments` are further options.
    """
    command = ["proxy", "--forward"]
    for name, values in (("--intercept", intercept), ("--allow", allow)):
        for value in values:
            command += [name, value]
    if intercept:
        command += ["--ca-dir", str(ca_dir)]
    server = ForwardProxy(*command, *arguments, **options)
    if intercept:
        server.authority = str(pathlib.Path(ca_dir).absolute() / "ca.pem")
    return server


def gateway(origin, *arguments, **options):
    """Starts a caching gateway in front of `origin`, http://host:port; `arguments` are further options."""
    return Gateway("gateway", "--origin", origin, *arguments, **options)


def main():
    """Replaces this process with the program of the package, which gets the same arguments."""
    # Not one of the PATH or the environment, which may be the script that has called this.
    program = str(pathlib.Path(__file__).parent / "bin" / "cachecheck")
    os.execv(program, [program, *sys.argv[1:]])
