/// How long a client may take, by the machine's clock whatever the origin's is.
public struct TimeLimits: Sendable, Hashable {
    /// For a head, from its first line, default 30 s; beyond it the answer is 408.
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

    /// How long content may take of which so many bytes have come.
    func content(of count: Int) -> Duration { content + .milliseconds(count * 1000 / 1024) }
}
