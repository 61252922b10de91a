// What serve-get-node is measured against: Node's own http server with the documents' handlers, dispatched by method and
// path as their server does. Usage: node node-server.js PORT
"use strict";
const http = require("node:http");

const json = (response, value) => {
  response.writeHead(200, { "Content-Type": "application/json" });
  response.end(JSON.stringify(value));
};

const handlers = {
  "GET /get": (request, response) => json(response, { data: "GET Method", status: "Success" }),
  "GET /fetchMockData": (request, response) =>
    json(response, { status: "success", data: [{ id: 1, name: "one" }, { id: 2, name: "two" }] }),
  "POST /post": (request, response) => {
    const pieces = [];
    request.on("data", (piece) => pieces.push(piece));
    request.on("end", () => json(response, { data: "POST Method", status: "Success" }));
  },
};

const server = http.createServer((request, response) => {
  const { pathname } = new URL(request.url, "http://localhost");
  const handler = handlers[`${request.method} ${pathname}`];
  if (handler) return handler(request, response);
  response.writeHead(404, { "Content-Type": "text/plain" });
  response.end("Not Found");
});

server.listen(Number(process.argv[2]), "127.0.0.1");
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => process.exit(0));
