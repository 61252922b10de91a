/// How long a client may take.
///
/// `HTTPServer` measures by the machine's clock whatever the origin's is, `StreamServer` by the clock that it is given.
public struct TimeLimits: Sendable, Hashable {
    /// For a head, from its first line, default 30 s; beyond it the answer is 408.
    ///
    /// At an `HTTPServer` a first line that does not come to its end is noticed at half of that time, and has the whole time from then on.
    /// A TLS handshake may take as long; beyond it the connection is closed.
    public var head: Duration = .seconds(30)
    /// For content that comes slower than 1 KiB a second, default 60 s; beyond it the answer is 408.
    public var content: Duration = .seconds(60)
    /// For a connection on which nothing is asked, default 5 min; beyond it the connection is closed.
    public var idle: Duration = .seconds(300)

    /// Creates the default limits.
    public init() {}

    /// How often connections are looked at.
    var interval: Duration {
        min(max(min(head, content, idle) / 4, .milliseconds(5)), .seconds(5))
    }

    /// From when on an idle connection is asked whether the beginning of a request has come.
    var firstLook: Duration { min(head, idle) / 2 }

    /// How long content may take of which so many bytes have come.
    func content(of count: Int) -> Duration { content + .milliseconds(count * 1000 / 1024) }
}
