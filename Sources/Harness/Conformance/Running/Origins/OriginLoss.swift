import HTTPServing
import MockOrigin

/// An origin of the harness, whose loss invalidates verdicts.
protocol MonitoredOrigin: Sendable {
    /// The port that the origin listens on.
    var port: UInt16 { get }
    /// Whether the origin no longer accepts connections although it was not stopped.
    var isLost: Bool { get }
}

extension MockServer: MonitoredOrigin {}

extension SuiteServer: MonitoredOrigin {}

extension MonitoredOrigin {
    /// Why observations behind the origin are no verdict; `nil` while it is available.
    var breakdown: String? { isLost ? "the origin at port \(port) no longer listens" : nil }
}
