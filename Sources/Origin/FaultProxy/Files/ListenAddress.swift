/// A numeric address and a port to listen on.
public struct ListenAddress: Sendable, Hashable, CustomStringConvertible {
    /// The address without brackets.
    public let host: String
    /// The port; `nil` is any free one.
    public let port: Int?

    /// Creates an address; the host is numeric.
    package init(host: String, port: Int?) { (self.host, self.port) = (host, port) }

    /// Reads `ADDRESS:PORT`, where no address, and `localhost`, are 127.0.0.1, and port 0 is any free one; `nil` for
    /// anything else.
    public init?(_ text: String) {
        guard let colon = text.lastIndex(of: ":"), let port = UInt16(text[text.index(after: colon)...]) else {
            return nil
        }
        var host = String(text[..<colon])
        if host.hasPrefix("["), host.hasSuffix("]") {
            host = String(host.dropFirst().dropLast())
        } else if host.contains(":") {
            return nil
        }
        self.init(
            host: host.isEmpty || host == "localhost" ? "127.0.0.1" : host,
            port: port == 0 ? nil : Int(port)
        )
    }

    /// Whether only this machine reaches it.
    var isLoopback: Bool { host == "::1" || host.hasPrefix("127.") }

    /// Returns the same address with another port.
    package func with(port: Int?) -> ListenAddress { ListenAddress(host: host, port: port) }

    /// Address and port as in a URL.
    public var description: String { "\(host.contains(":") ? "[\(host)]" : host):\(port ?? 0)" }
}
