/// A way in which a fault ends a connection.
package enum ConnectionEnd: String, Sendable, Hashable {
    /// It is reset; in a proxy both connections are.
    case reset
    /// It is closed, as by the end of the process; in a proxy both connections are.
    case close
    /// The direction to the client is closed, and what the client still sends is read.
    case halfClose = "half-close"
}

extension FaultAction {
    /// The way in which the fault ends the connection; `nil` if it does not.
    package var connectionEnd: ConnectionEnd? {
        switch self {
        case .reset: .reset
        case .close: .close
        case .halfClose: .halfClose
        default: nil
        }
    }
}

extension Fault.Point {
    /// Returns the offset in the bytes of an event; `nil` is an unknown number, of which a share is the start.
    ///
    /// Random values have been decided: the lower bound counts.
    package func offset(in total: Int?) -> Int {
        switch self {
        case .byte(let span): min(span.low, total ?? .max)
        case .share(let span): Int(span.low * Double(total ?? 0))
        }
    }
}
