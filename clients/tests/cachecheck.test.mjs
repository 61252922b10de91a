// What the JavaScript client promises, checked with the program that CACHECHECK names: `node --test clients/tests`.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

import * as cachecheck from "../javascript/cachecheck.mjs";

const hello = { label: "hello", path: "/hello", answer: { fields: { "Cache-Control": "max-age=60" }, body: "hello" } };

/** Starts a server that is stopped at the end of a test. */
async function started(context, server) {
  const running = await server;
  context.after(() => running.stop());
  return running;
}

async function origin(context) {
  const origin = await started(context, cachecheck.serve());
  await origin.addRoutes(hello);
  return origin;
}

async function get(url) {
  const response = await fetch(url);
  return [response.status, await response.text()];
}

test("routes answer and the journal lists requests", async (context) => {
  const mock = await origin(context);
  assert.deepEqual(await get(mock.url + "/hello"), [200, "hello"]);
  assert.deepEqual((await mock.journal()).map((exchange) => exchange.target), ["/hello"]);
  await mock.clearJournal();
  assert.deepEqual(await mock.journal(), []);
});

test("a folder is served", async (context) => {
  const folder = fileURLToPath(new URL(".", import.meta.url));
  const site = await started(context, cachecheck.serve({ folder }));
  assert.match((await get(site.url + "/conftest.py"))[1], /pytest/);
});

test("a stopped clock moves only when it is advanced", async (context) => {
  const mock = await started(context, cachecheck.serve());
  await mock.stopClock();
  const before = await mock.control("GET", "/clock");
  const after = await mock.advance("61s");
  assert.notDeepEqual(before, after);
  assert.deepEqual(await mock.control("GET", "/clock"), after);
});

/** Requests a URL of a forward proxy and returns the status and the content. */
function through(proxy, url) {
  return new Promise((done, failed) => {
    const { hostname, port } = new URL(proxy.url);
    const sent = request({ host: hostname, port, path: url, headers: { Host: new URL(url).host } }, async (response) => {
      let text = "";
      for await (const piece of response) text += piece;
      done([response.statusCode, text]);
    });
    sent.on("error", failed).end();
  });
}

test("a proxy with TLS has an https URL", async (context) => {
  const folder = await mkdtemp(join(tmpdir(), "cachecheck-"));
  context.after(() => rm(folder, { recursive: true }));
  const proxy = await started(context, cachecheck.proxy("http://127.0.0.1:9", { arguments: ["--tls", "--ca-dir", join(folder, "ca")] }));
  assert.match(proxy.url, /^https:\/\/127\.0\.0\.1:\d+$/);
});

test("a forward proxy reaches what is allowed, and breaks it", async (context) => {
  const mock = await origin(context);
  const proxy = await started(context, cachecheck.forwardProxy({ allow: ["127.0.0.0/8"] }));
  await proxy.setFaults(["status=503@before-head requests=1"]);
  assert.equal((await through(proxy, mock.url + "/hello"))[0], 503);
  assert.deepEqual(await through(proxy, mock.url + "/hello"), [200, "hello"]);
  assert.equal(proxy.environment.HTTPS_PROXY, proxy.url);
  const strict = await started(context, cachecheck.forwardProxy());
  assert.equal((await through(strict, mock.url + "/hello"))[0], 403);
});

test("faults of the proxy happen where the journal says", async (context) => {
  const mock = await origin(context);
  const proxy = await started(context, cachecheck.proxy(mock.url));
  await proxy.setFaults(["reset@body:2 requests=1"], { seed: 7 });
  await assert.rejects(get(proxy.url + "/hello"));
  assert.deepEqual(await get(proxy.url + "/hello"), [200, "hello"]);
  assert.deepEqual((await proxy.journal()).map((entry) => entry.injected), [["reset@body:2"], []]);
  assert.equal((await proxy.journal({ after: 1 })).length, 1);
});

test("rules answer in turn and a reset restarts them", async (context) => {
  const mock = await origin(context);
  const proxy = await started(context, cachecheck.proxy(mock.url));
  await proxy.setRules([{ path: "/hello", answers: [{ status: 503 }, "pass"] }]);
  for (const status of [503, 200, 200]) assert.equal((await get(proxy.url + "/hello"))[0], status);
  assert.equal((await proxy.rules()).rules[0].requests, 3);
  await proxy.reset();
  assert.equal((await get(proxy.url + "/hello"))[0], 503);
});

test("a network is set and removed", async (context) => {
  const mock = await origin(context);
  const proxy = await started(context, cachecheck.proxy(mock.url));
  assert.equal((await proxy.setNetwork("apple:3g")).network, "apple:3g");
  await proxy.setNetwork(null);
  assert.equal((await proxy.control("GET", "/network")).network, null);
});

test("the gateway stores and purges", async (context) => {
  const mock = await origin(context);
  const gateway = await started(context, cachecheck.gateway(mock.url));
  for (let count = 0; count < 3; count++) assert.deepEqual(await get(gateway.url + "/hello"), [200, "hello"]);
  assert.equal((await mock.journal()).length, 1);
  await gateway.purge();
  await get(gateway.url + "/hello");
  assert.equal((await mock.journal()).length, 2);
});

test("a rejected request says why", async (context) => {
  const proxy = await started(context, cachecheck.proxy("http://127.0.0.1:9"));
  await assert.rejects(proxy.setFaults(["nothing@all"]), (error) => {
    assert.ok(error instanceof cachecheck.CacheCheckError);
    assert.match(error.message, /body:1/);
    assert.equal(error.status, 422);
    return true;
  });
});

test("a program that does not start says why", async () => {
  await assert.rejects(cachecheck.proxy("nowhere"), /--upstream: found nowhere/);
  await assert.rejects(cachecheck.serve({ program: "/nonexistent" }), /\/nonexistent does not start/);
});

test("a stopped server is gone, and may be stopped again", async () => {
  const mock = await cachecheck.serve();
  assert.equal((await get(mock.url + "/get"))[0], 200);
  await mock.stop();
  await mock.stop();
  await assert.rejects(get(mock.url + "/get"));
});

test("a server that nobody stops neither keeps the program alive nor outlives it", async () => {
  const client = fileURLToPath(new URL("../javascript/cachecheck.mjs", import.meta.url));
  const script = `import { serve } from ${JSON.stringify(client)}; console.log((await serve()).url);`;
  const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "--eval", script], { timeout: 60_000 });
  assert.match(stdout, /^http:\/\/127\.0\.0\.1:\d+\n$/);
  await assert.rejects(get(stdout.trim() + "/get"));
});
