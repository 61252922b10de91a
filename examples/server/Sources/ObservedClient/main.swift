import CacheObservability
import MockOrigin

let server = try MockServer.started(routes: [.get("/a", .plainText("hello").maxAge(.seconds(60)))])
var logger = Logger(label: "demo") { StreamLogHandler.standardOutput(label: $0) }
logger.logLevel = .debug

let client = try CachingClient(.init(observer: LoggingObserver(logger)), cache: .memory())
for _ in 1...2 { print(try await client.get(server.url("/a")).text) }
await server.shutDown()
