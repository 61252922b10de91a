public import Clocks
public import HTTPServing
public import JSON
import Threads

/// A server for a control API on 127.0.0.1: JSON operations that require tokens, and their OpenAPI document.
///
/// `GET /health` and `GET /openapi.json` require no token.
public final class ControlServer: Sendable {
    /// The configuration of a control API.
    public struct Configuration: Sendable {
        /// Port to listen on; `nil`, the default, is any free one.
        public var port: Int?
        /// The server's own token; by default a random one.
        public var token = AccessToken.random()
        /// Largest content of a request in bytes, above which the response is 413; default 4 MiB.
        public var contentLimitBytes = 4 << 20
        /// Number of open connections above which the response is 503; default 16,384.
        public var connectionLimit = StreamServer.Configuration().connectionLimit
        /// The origin whose pages may call the API, such as `http://localhost:3000`, or `*` for every origin; default
        /// `nil`, none.
        public var allowedOrigin: String?
        /// Time limits for callers.
        public var timeLimits = TimeLimits()

        /// Creates the default configuration.
        public init() {}
    }
    /// The title and description of a control API.
    public struct Description: Sendable {
        /// The name of the API.
        public var title: String
        /// One paragraph.
        public var summary: String
        /// JSON Schemas by name, referenced as `#/components/schemas/NAME`.
        public var schemas: JSONValue

        /// Creates a description.
        public init(title: String, summary: String, schemas: JSONValue = [:]) {
            self.title = title
            self.summary = summary
            self.schemas = schemas
        }
    }
    private let server: StreamServer
    private let threads = [ThreadExecutor(), ThreadExecutor()]
    /// The server's own token.
    public let token: AccessToken

    /// Creates a server that does not listen yet.
    ///
    /// `clock` is for the time limits, by default the machine's. `callers` returns the owner of a token other than the
    /// server's own; by default there are no other tokens.
    public init(
        _ configuration: Configuration,
        _ description: Description,
        operations: [ControlOperation],
        clock: any TimeSource = SystemClock(),
        callers: @escaping @Sendable ([UInt8]) -> String? = { _ in nil }
    ) {
        var stream = StreamServer.Configuration()
        stream.port = configuration.port
        stream.threads = 1
        stream.contentLimitBytes = configuration.contentLimitBytes
        stream.connectionLimit = configuration.connectionLimit
        stream.timeLimits = configuration.timeLimits
        token = configuration.token
        let all = operations.withDescription(description)
        let handler = ControlHandler(
            table: ControlTable(operations: all),
            guarding: ControlGuard(token: configuration.token, callers: callers),
            crossOrigin: CrossOriginAccess(allowed: configuration.allowedOrigin),
            executor: threads[0],
            slowExecutor: threads[1]
        )
        server = StreamServer(stream, handler: handler, clock: clock)
    }

    /// The port it listens on; `nil` while it does not.
    public var port: Int? { server.port }

    /// The URL of its root without the slash at the end; with port 0 while it does not listen.
    public var url: String { "http://127.0.0.1:\(port ?? 0)" }

    /// Starts to serve.
    ///
    /// Throws `ServerError.alreadyStarted` if it has been started and not stopped since.
    public func start() throws(ServerError) {
        try server.start()
        do throws(ServerError) {
            // After the server, whose failed start must leave no thread; earlier requests wait for them.
            guard threads.allSatisfy({ $0.start() }) else {
                throw .system(call: "pthread_create", reason: "no more threads available")
            }
        } catch {
            server.stop()
            throw error
        }
    }

    /// Closes every connection and waits for the threads of connections; may be repeated.
    public func stop() { server.stop() }
}

extension [ControlOperation] {
    /// Adds the operations that every control API has.
    fileprivate func withDescription(_ description: ControlServer.Description) -> [ControlOperation] {
        let health = ControlOperation(.get("/health"), name: "health", "Reports that the server is running.")
        { _ in
            .json(["status": "ok"])
        }
        let document = ControlOperation(.get("/openapi.json"), name: "document", "Describes this API.") {
            _ in
            .json(.null)
        }
        let schema: JSONValue = ["type": "object"]
        let all =
            self + [
                health.with { ($0.access, $0.answer) = (.open, schema) },
                // Open to all: it contains nothing beyond the public documentation.
                document.with { ($0.access, $0.answer) = (.open, schema) },
            ]
        let text = OpenAPIDocument(
            title: description.title,
            summary: description.summary,
            operations: all,
            schemas: description.schemas
        ).json
        return all.dropLast() + [all[all.count - 1].with { $0.action = { _ in .json(text) } }]
    }
}
