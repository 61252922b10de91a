public import Addresses
import LocatedYAML
public import OriginScript

/// One proxy of a file of proxies.
public struct ProxyDefinition: Sendable {
    /// Where requests and bytes go.
    #if hasAttribute(nonexhaustive)
        @nonexhaustive
    #endif
    public enum Destination: Sendable, Hashable {
        /// To this server.
        case server(Upstream)
        /// To the servers that requests name, as of a forward proxy; of those that are not public, to the allowed ones.
        case named(allowed: [AddressBlock], intercepted: [HostPattern])
    }
    /// Settings that cannot change while the proxy runs: another value closes its connections and restarts it.
    public struct Endpoints: Sendable, Hashable {
        /// The address it listens on.
        public var listen: ListenAddress
        /// Where requests and bytes go.
        public var destination: Destination
        /// The unit that is passed; by default messages of HTTP/1.
        public var mode = FaultProxy.Mode.http
        /// The value of `Host` for the upstream; by default the client's.
        public var host = FaultProxy.HostField.client
        /// Whether fields about the client are added; default no.
        public var addsForwardedFields = false
        /// Whether requests choose faults; default no.
        public var allowsRequestFaults = false
        /// The certificate of the port; `nil`, the default, without TLS.
        public var tls: TLSCase?
        /// The PEM file of the authorities that are trusted for an upstream of TLS; default `nil`: the system's
        /// authorities.
        public var upstreamAuthorities: String?
        /// Whether the certificate of an upstream of TLS is verified; default yes.
        public var verifiesUpstream = true

        /// The server behind; `nil` for a forward proxy.
        public var upstream: Upstream? {
            if case .server(let upstream) = destination { upstream } else { nil }
        }

        /// Scheme and authority of the server behind, such as `tcp://127.0.0.1:5432`; `nil` for a forward proxy.
        public var upstreamURL: String? {
            upstream.map { upstream in
                "\(mode == .bytes ? "tcp" : upstream.isTLS ? "https" : "http")://\(upstream)"
            }
        }
    }
    /// Its name, which no other proxy of the file has.
    public let name: String
    /// The addresses that it connects.
    public internal(set) var endpoints: Endpoints
    /// Its rules, and faults of all connections and requests.
    var rules = ProxyRuleFile.empty
    /// The emulated network; default none.
    var network: NetworkSchedule?
}
