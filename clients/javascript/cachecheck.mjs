/**
 * Starts CacheCheck's servers and controls them; needs nothing but Node 18 and the program.
 *
 *     import * as cachecheck from "./cachecheck.mjs";
 *
 *     const proxy = await cachecheck.proxy("http://127.0.0.1:8000");
 *     try {
 *       await proxy.setFaults(["reset@body:20000 path=/big.bin requests=1"]);
 *       // … the code under test uses proxy.url
 *       assert.deepEqual((await proxy.journal())[0].injected, ["reset@body:20000"]);
 *     } finally {
 *       await proxy.stop();
 *     }
 *
 * `serve`, `proxy`, `forwardProxy` and `gateway` start `cachecheck serve`, `proxy` and `gateway` on free ports of 127.0.0.1. The program is
 * the option `program`, the environment variable CACHECHECK, or `cachecheck` on the PATH. A server that is not stopped ends with this process.
 */

import { spawn } from "node:child_process";
import { resolve } from "node:path";
import { createInterface } from "node:readline";

/** A program that does not start, or a request that its control API rejects; `status` is that of the response. */
export class CacheCheckError extends Error {
  constructor(message, status) {
    super(message);
    this.name = "CacheCheckError";
    this.status = status;
  }
}

/** Returns the path of the program, or its name if it has to be found on the PATH. */
export function findProgram() {
  return process.env.CACHECHECK || "cachecheck";
}

const running = new Set();
process.on("exit", () => {
  for (const child of running) child.kill();
});

/** A running server with a control API. */
export class Server {
  #child;
  #ended;
  #token;
  /** The URL of the server without the slash at the end. */
  url;
  /** The URL of the control API; `openapi.json` below it describes all operations. */
  controlUrl;

  /**
   * Starts the program with `arguments_`, those without ports; to be called on a subclass or on `Server` itself.
   *
   * Options: `program`, its path, by default that of `findProgram()`; `startTimeout`, milliseconds after which a start has failed,
   * by default 30,000.
   */
  static async start(arguments_, { program = findProgram(), startTimeout = 30_000 } = {}) {
    const server = new this();
    await server.#start(program, arguments_, startTimeout);
    return server;
  }

  async #start(program, arguments_, timeout) {
    const child = spawn(program, [...arguments_, "--port", "0", "--control-port", "0"], { stdio: ["ignore", "pipe", "pipe"] });
    this.#child = child;
    this.#ended = new Promise((resolve) => child.once("close", resolve));
    const failed = new Promise((_, reject) =>
      child.once("error", (error) => reject(new CacheCheckError(`${program} does not start: ${error.message}`))),
    );
    running.add(child);
    child.once("close", () => running.delete(child));
    child.once("error", () => running.delete(child));
    let errors = "";
    child.stderr.setEncoding("utf8").on("data", (text) => (errors += text));
    const timer = { late: null };
    const late = new Promise((_, reject) => {
      timer.late = setTimeout(() => reject(new CacheCheckError(`cachecheck did not start within ${timeout} ms`)), timeout);
    });
    try {
      await Promise.race([this.#readStart(child, () => errors), failed, late]);
    } catch (error) {
      child.kill();
      throw error;
    } finally {
      clearTimeout(timer.late);
    }
    // Neither the process nor its output keeps this program alive.
    child.unref();
    child.stdout.unref?.();
    child.stderr.unref?.();
  }

  /** Reads the lines that name the addresses; further output is discarded. */
  async #readStart(child, errors) {
    const expected = [
      ["url", /(?:Listening|Serving .+) on (https?:\/\/[^ ]+)/],
      ["controlUrl", /Control API on (http:\/\/[^,]+)/],
      ["token", /Authorization: Bearer ([^']+)'/],
    ];
    const lines = createInterface({ input: child.stdout });
    await new Promise((resolve, reject) => {
      lines.on("line", (line) => {
        const found = expected.length ? expected[0][1].exec(line) : null;
        if (!found) return;
        const [name] = expected.shift();
        if (name === "token") this.#token = found[1];
        else this[name] = found[1];
        if (expected.length === 0) resolve();
      });
      child.once("close", () => reject(new CacheCheckError(`cachecheck did not start: ${errors().trim()}`)));
    });
  }

  /** Stops the server and waits for its end; may be repeated. */
  async stop() {
    const child = this.#child;
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill();
    const timer = setTimeout(() => child.kill("SIGKILL"), 10_000);
    child.ref();
    await this.#ended;
    clearTimeout(timer);
  }

  /** Stops the server at the end of an `await using` block. */
  async [Symbol.asyncDispose ?? Symbol.for("Symbol.asyncDispose")]() {
    await this.stop();
  }

  /** Performs an operation of the control API and returns its JSON, `null` for no content. */
  async control(method, path, content) {
    const response = await fetch(this.controlUrl + path, {
      method,
      headers: { Authorization: `Bearer ${this.#token}`, "Content-Type": "application/json" },
      body: content === undefined ? undefined : JSON.stringify(content),
    });
    const text = await response.text();
    if (!response.ok) throw new CacheCheckError(`${method} ${path}: ${text.trim()}`, response.status);
    return text ? JSON.parse(text) : null;
  }
}

/** The operations that the mock origin and the proxy have in common. */
class FaultyServer extends Server {
  /** Replaces the faults of all requests, such as "reset@body:20000 requests=1"; none removes all. */
  setFaults(faults, { seed } = {}) {
    return this.control("PUT", "/faults", seed === undefined ? { faults } : { faults, seed });
  }

  /** Returns the random decisions, in the order in which they were drawn. */
  async decisions() {
    return (await this.control("GET", "/faults")).decisions;
  }

  /** Emulates a network, such as "apple:3g"; `null` removes it. */
  setNetwork(network) {
    return network === null ? this.control("DELETE", "/network") : this.control("PUT", "/network", { network });
  }

  /** Releases held responses, those of one rule or route or all; returns how many were released. */
  async release(label) {
    return (await this.control("POST", "/release", label === undefined ? {} : { label })).released;
  }

  /** Removes all exchanges from the journal. */
  async clearJournal() {
    await this.control("DELETE", "/journal");
  }

  /** Restores the initial state, except the clock. */
  async reset() {
    await this.control("POST", "/reset");
  }
}

/** `cachecheck serve`: a mock origin. */
export class MockOrigin extends FaultyServer {
  /** Adds routes, as in site files, before the others; returns their labels. */
  addRoutes(...routes) {
    return this.control("POST", "/routes", routes);
  }

  /** Replaces all routes. */
  setRoutes(...routes) {
    return this.control("PUT", "/routes", routes);
  }

  /** Returns the last exchanges, oldest first. */
  async journal() {
    return (await this.control("GET", "/journal")).exchanges;
  }

  /** Stops the clock, so that only `advance` moves it. */
  stopClock() {
    return this.control("PUT", "/clock", { running: false });
  }

  /** Advances the clock by a duration such as "61s"; what becomes due happens before this returns. */
  advance(duration) {
    return this.control("POST", "/clock/advance", { by: duration });
  }
}

/** `cachecheck proxy`: a proxy that injects faults. */
export class Proxy extends FaultyServer {
  /** Replaces the rules, each an object with the keys of a rule file; equal rules keep their counts. */
  setRules(rules, { faults = [] } = {}) {
    return this.control("PUT", "/rules", faults.length ? { rules, faults } : { rules });
  }

  /** Returns the rules, the number of requests that each has matched, and the states. */
  rules() {
    return this.control("GET", "/rules");
  }

  /** Returns the last exchanges, with what was injected and where; `after` is the number of one. */
  async journal({ after } = {}) {
    return (await this.control("GET", "/journal" + (after === undefined ? "" : `?after=${after}`))).entries;
  }
}

/** `cachecheck proxy --forward`: a forward proxy that injects faults; `url` is that of the proxy itself. */
export class ForwardProxy extends Proxy {
  /** The file of the authority that signs the certificates of intercepted hosts; `undefined` without any. */
  authority;

  /** The environment variables that make most programs use the proxy and trust its authority. */
  get environment() {
    const names = ["HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy"];
    const variables = { NO_PROXY: "", no_proxy: "", NODE_USE_ENV_PROXY: "1" };
    for (const name of names) variables[name] = this.url;
    if (this.authority === undefined) return variables;
    for (const name of ["SSL_CERT_FILE", "REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE", "NODE_EXTRA_CA_CERTS"]) {
      variables[name] = this.authority;
    }
    return variables;
  }
}

/** `cachecheck gateway`: a caching gateway. */
export class Gateway extends Server {
  /** Returns the gateway's metrics. */
  metrics() {
    return this.control("GET", "/metrics");
  }

  /** Removes stored responses: `url`, `prefix`, `tag` or `origin`; without a selection all. */
  purge(selection = {}) {
    const query = new URLSearchParams(selection).toString() || "all";
    return this.control("POST", `/purge?${query}`);
  }
}

/** Starts a mock origin. Options: `folder` of a site, `arguments` of `cachecheck serve`, and those of `Server.start`. */
export function serve({ folder, arguments: more = [], ...options } = {}) {
  return MockOrigin.start(["serve", ...(folder ? [String(folder)] : []), ...more], options);
}

/** Starts a proxy in front of `upstream`, http://host:port. Options: `arguments` of `cachecheck proxy`, and those of `Server.start`. */
export function proxy(upstream, { arguments: more = [], ...options } = {}) {
  return Proxy.start(["proxy", "--upstream", upstream, ...more], options);
}

/**
 * Starts a forward proxy. Options: `intercept`, hosts whose TLS is terminated, such as "example.com" or "*", by the authority in the
 * folder `caDir`; `allow`, addresses that are not public and may be connected to, such as "127.0.0.0/8"; `arguments`, and those of
 * `Server.start`.
 */
export async function forwardProxy({
  intercept = [],
  allow = [],
  caDir = "build/ca",
  arguments: more = [],
  ...options
} = {}) {
  const hosts = intercept.flatMap((host) => ["--intercept", host]);
  const blocks = allow.flatMap((block) => ["--allow", block]);
  const folder = intercept.length ? ["--ca-dir", caDir] : [];
  const server = await ForwardProxy.start(["proxy", "--forward", ...hosts, ...blocks, ...folder, ...more], options);
  if (intercept.length) server.authority = resolve(caDir, "ca.pem");
  return server;
}

/** Starts a caching gateway in front of `origin`, http://host:port. Options: `arguments` and those of `Server.start`. */
export function gateway(origin, { arguments: more = [], ...options } = {}) {
  return Gateway.start(["gateway", "--origin", origin, ...more], options);
}
