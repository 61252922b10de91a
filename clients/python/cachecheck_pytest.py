"""The pytest plugin of CacheCheck: fixtures that start its servers on free ports and stop them after the test.

    def test_retries(cachecheck_proxy):
        proxy = cachecheck_proxy("http://127.0.0.1:8000")
        proxy.set_faults("status=503@before-head requests=1..2")
        assert my_client.get(proxy.url).status == 200

Installed with the wheel of CacheCheck it is active; a copy beside the tests is activated by
`pytest_plugins = ["cachecheck_pytest"]` in conftest.py.
"""

import contextlib

import pytest

import cachecheck


def _starter(start):
    """Returns the fixture function that starts servers by `start` and stops them after the test."""

    def fixture():
        with contextlib.ExitStack() as servers:
            yield lambda *arguments, **options: servers.enter_context(start(*arguments, **options))

    fixture.__doc__ = start.__doc__
    return fixture


cachecheck_serve = pytest.fixture(name="cachecheck_serve")(_starter(cachecheck.serve))
cachecheck_proxy = pytest.fixture(name="cachecheck_proxy")(_starter(cachecheck.proxy))
cachecheck_forward_proxy = pytest.fixture(name="cachecheck_forward_proxy")(_starter(cachecheck.forward_proxy))
cachecheck_gateway = pytest.fixture(name="cachecheck_gateway")(_starter(cachecheck.gateway))
