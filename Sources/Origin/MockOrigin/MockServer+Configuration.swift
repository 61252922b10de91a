import Certificates
import Clocks
public import HTTPServing
public import OriginScript

extension MockServer {
    /// The configuration of a mock server.
    public struct Configuration: Sendable {
        /// Address, port, threads and limits; by default any free port of 127.0.0.1.
        public var server = HTTPServer.Configuration()
        /// The number of exchanges outside namespaces that are kept; default 1,000.
        public var journalSize = 1000
        /// Folder of fixture files that answers may name in addition to the embedded images; default `nil`: none.
        public var fixtureFolder: String?
        /// The site outside namespaces, in addition to the built-in pages; default empty.
        public var site = Site()
        /// The manner of matching the built-in pages; default by path.
        public var pageMatching = PageMatching.path
        /// Passes requests to an upstream: those with an answer `pass`, and those that neither a route, a file nor a page of the
        /// site is for; `nil`, the default, passes none.
        public var passer: (any RequestPasser)?
        /// The dialect in which the wire protocol of the public suite, `/config`, `/test` and `/state`, is served instead
        /// of the site; `nil`, the default, serves the site.
        ///
        /// Tests without a request for an hour are removed.
        public var suite: SuiteDialect?

        /// Faults of every page and the seed of their random decisions; default none.
        public var faults = FaultPlan(scope: "serve")

        /// The network to every page; default this machine's own.
        public var network: NetworkSchedule?
        /// Called with each random decision for pages, on any thread; default `nil`.
        public var onDecision: (@Sendable (FaultDecision) -> Void)?

        /// The settings of a second port with TLS; `nil`, the default, opens none.
        ///
        /// `useTLS(_:)` makes them.
        public var tls: TLSSettings?
        /// The port of TLS; `nil`, the default, is any free one.
        public var tlsPort: Int?

        /// The authority that has signed the certificate of `useTLS(_:)`, in PEM, so that clients can trust it; `nil` without it.
        public private(set) var authorityPEM: String?

        /// Creates the default configuration for a port; `nil`, the default, is any free one.
        public init(port: Int? = nil) {
            server.port = port
        }

        /// Adds a port with TLS, whose certificate a new authority signs.
        ///
        /// The certificate is valid, or not, by the machine's clock, because clients compare with that. Throws
        /// `ServerError.tls` if it cannot be made.
        public mutating func useTLS(_ tlsCase: TLSCase = .good) throws(ServerError) {
            let now = SystemClock().timeSinceEpoch
            do throws(CertificateError) {
                let authority = try CertificateAuthority(now: now)
                tls = try tlsCase.settings(of: authority, now: now)
                authorityPEM = try authority.identity.certificate.pem()
            } catch {
                throw .tls(reason: error.description)
            }
        }
    }
}
