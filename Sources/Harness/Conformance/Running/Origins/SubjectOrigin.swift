import OriginScript

/// The origin of one scenario or test, as its subject knows it.
protocol SubjectOrigin: Sendable {
    /// The origin if our own server has it; `nil` for another server.
    var local: NamespaceOrigin? { get }
    /// The absolute path below which it answers: `/-/TOKEN`.
    var base: String { get }
    /// Scheme and authority: `http://127.0.0.1:8090`.
    var authority: String { get }
    /// Returns the known requests after the first `count`, in order.
    func record(after count: Int) -> [OriginExchange]
    /// Whether it is known to have a request whose exchange has not ended.
    var hasOpenExchanges: Bool { get }
}
