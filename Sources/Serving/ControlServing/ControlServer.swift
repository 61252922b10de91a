public import Clocks
public import HTTPServing
public import JSON
import Locks

/// A control API: operations in JSON behind tokens, on a port of 127.0.0.1, and the document that describes them.
///
/// Besides its operations it answers `GET /health` and `GET /openapi.json`, both to everybody.
public final class ControlServer: Sendable {
    /// What a control API needs to know before it starts.
    public struct Configuration: Sendable {
        /// Port to listen on; 0, the default, is any free one.
        public var port: UInt16 = 0
        /// The server's own token; by default one made at random.
        public var token = AccessToken.random()
        /// Largest content of a request in bytes, above which the answer is 413; default 4 MiB.
        public var bodyLimitBytes = 4 << 20
        /// Connections that are open at once, above which the answer is 503; default 16,384.
        public var connectionLimit = StreamServer.Configuration().connectionLimit
        /// How long callers may take.
        public var timeLimits = TimeLimits()

        /// Creates the default configuration.
        public init() {}
    }
    /// What a control API is for.
    public struct Description: Sendable {
        /// Its name.
        public var title: String
        /// One paragraph.
        public var summary: String
        /// JSON Schemas by name, to which operations refer as `#/components/schemas/NAME`.
        public var schemas: JSONValue

        /// Creates a description.
        public init(title: String, summary: String, schemas: JSONValue = [:]) {
            self.title = title
            self.summary = summary
            self.schemas = schemas
        }
    }
    private let server: StreamServer
    private let thread = ThreadTaskExecutor()
    /// The server's own token.
    public let token: AccessToken

    /// Creates an API that does not listen yet.
    ///
    /// `clock` is that of the time limits, by default the machine's whatever is served. `callers` names whom a token is of that is not the server's own; by default there are no such tokens.
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
        stream.bodyLimitBytes = configuration.bodyLimitBytes
        stream.connectionLimit = configuration.connectionLimit
        stream.timeLimits = configuration.timeLimits
        token = configuration.token
        let all = operations.withDescription(description)
        let handler = ControlHandler(
            table: ControlTable(operations: all),
            guarding: ControlGuard(token: configuration.token, callers: callers),
            executor: thread
        )
        server = StreamServer(stream, handler: handler, clock: clock)
    }

    /// The port it listens on; 0 while it does not.
    public var port: UInt16 { server.port }

    /// The URL of its root without the slash at the end.
    public var url: String { "http://127.0.0.1:\(port)" }

    /// Starts to serve; may be called once.
    public func start() throws(ServerError) {
        try thread.start()
        try server.start()
    }

    /// Closes every connection and waits for the threads.
    public func stop() { server.stop() }
}

extension [ControlOperation] {
    /// Adds the operations that every control API has.
    fileprivate func withDescription(_ description: ControlServer.Description) -> [ControlOperation] {
        let health = ControlOperation("GET", "/health", name: "health", "Says that the server runs.") { _ in
            .json(["status": "ok"])
        }
        let document = ControlOperation("GET", "/openapi.json", name: "document", "Describes this API.") {
            _ in
            .json(.null)
        }
        let schema: JSONValue = ["type": "object"]
        let all =
            self + [
                health.with { ($0.access, $0.answer) = (.open, schema) },
                // It says what can be asked, which is in the documentation, and nothing of what is served.
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
