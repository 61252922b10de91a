import MockOrigin

extension MockServer {
    /// Why observations behind the origin are no verdict; `nil` while it accepts connections.
    var breakdown: String? { isLost ? "the origin at port \(port ?? 0) no longer listens" : nil }
}
