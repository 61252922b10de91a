/// The time limits for clients.
///
/// `HTTPServer` uses the machine's clock, regardless of the origin's clock; `StreamServer` uses the clock that it is
/// given.
public struct TimeLimits: Sendable, Hashable {
    /// For a head, from its first line, default 30 s; beyond it the response is 408.
    ///
    /// An `HTTPServer` notices an incomplete first line after half of that time and then waits for the full time.
    /// A TLS handshake may take as long; beyond it the connection is closed.
    public var head: Duration = .seconds(30)
    /// For content that arrives more slowly than 1 KiB a second, default 60 s; beyond it the response is 408.
    public var content: Duration = .seconds(60)
    /// For a connection without a request, default 5 min; beyond it the connection is closed.
    public var idle: Duration = .seconds(300)

    /// Creates the default limits.
    public init() {}

    /// The interval of checks of connections.
    var interval: Duration {
        min(max(min(head, content, idle) / 4, .milliseconds(5)), .seconds(5))
    }

    /// The time after which an idle connection is checked for the start of a request.
    var firstLook: Duration { min(head, idle) / 2 }

    /// Returns the time limit for content of which `count` bytes have arrived.
    func content(of count: Int) -> Duration { content + .milliseconds(count * 1000 / 1024) }
}
