import HTTPServing
import MockOrigin

/// An origin of the harness, whose loss invalidates verdicts.
protocol MonitoredOrigin: Sendable {
    /// The port it listens on.
    var port: UInt16 { get }
    /// Whether it accepts no more connections without having been stopped.
    var isLost: Bool { get }
}

extension MockServer: MonitoredOrigin {}

extension SuiteServer: MonitoredOrigin {}

extension MonitoredOrigin {
    /// Why nothing observed behind it is a verdict; `nil` while it is available.
    var breakdown: String? { isLost ? "the origin at port \(port) is gone" : nil }
}
