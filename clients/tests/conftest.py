pytest_plugins = ["cachecheck_pytest"]
