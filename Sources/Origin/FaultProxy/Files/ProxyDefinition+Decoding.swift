import Addresses
import LocatedYAML
import OriginScript

/// The keys of a proxy.
enum ProxyKey: String, MapKey {
    case name, listen, upstream, forward, allow, intercept
    case host, xForwarded = "x-forwarded", requestFaults = "request-faults", tls
    case upstreamCA = "upstream-ca", insecureUpstream = "insecure-upstream"
    case network, faults, rules
    static let mapName = "a proxy"

    /// Whether it concerns messages of HTTP.
    var isOfHTTP: Bool {
        switch self {
        case .name, .listen, .upstream, .network, .faults: false
        default: true
        }
    }
}

extension ProxyDefinition {
    /// Reads a proxy; answers of its rules may name files of `folder`.
    static func reader(folder: String) -> Reader<ProxyDefinition> {
        Reader { node, problems in
            guard let map = MapReader<ProxyKey>(node, problems) else { return nil }
            let name = map.required(.name, names)
            let listen = map.required(.listen, addresses)
            let (destination, mode) = Self.destination(map)
            guard let name, let listen, let destination else { return nil }
            var endpoints = Endpoints(listen: listen, destination: destination, mode: mode)
            endpoints.read(map)
            var definition = ProxyDefinition(name: name, endpoints: endpoints)
            map.set(&definition.network, .network, NetworkSchedule.reader)
            definition.rules = ProxyRuleFile(
                rules: map.optional(.rules, ProxyRule.listReader) ?? [],
                faults: map.optional(.faults, Fault.listReader) ?? [],
                folder: folder
            )
            if endpoints.mode == .bytes { definition.refuseHTTP(map) }
            return definition
        }
    }

    private static func destination(_ map: MapReader<ProxyKey>) -> (Destination?, FaultProxy.Mode) {
        let allowed = map.optional(.allow, blocks.oneOrMore()) ?? []
        let intercepted = map.optional(.intercept, patterns.oneOrMore()) ?? []
        guard map.optional(.forward, .bool) == true else {
            map.refuse([.allow, .intercept], of: "a proxy that does not forward", "\"forward: true\"")
            let server = map.required(.upstream, servers)
            return (server.map { .server($0.0) }, server?.1 ?? .http)
        }
        map.refuse([.upstream, .host, .tls], of: "a forward proxy", "it without")
        return (.named(allowed: allowed, intercepted: intercepted), .http)
    }

    private func refuseHTTP(_ map: MapReader<ProxyKey>) {
        map.refuse(
            map.keys.filter(\.isOfHTTP),
            of: "a proxy for tcp://",
            "it with an upstream of http:// or https://"
        )
        guard let node = map[.faults], let fault = rules.faults.first(where: { !$0.isPossibleForBytes })
        else {
            return
        }
        map.problems.add(
            at: node.position,
            found: "\(fault), which needs HTTP",
            expected: "a fault at accept, request-body, body or end"
        )
    }

    private static var names: Reader<String> {
        Reader.text.when(
            { !$0.isEmpty && $0.utf8.allSatisfy { $0 > 0x20 && $0 != 0x7F } },
            expected: "a name without blanks"
        )
    }

    private static var addresses: Reader<ListenAddress> {
        Reader(expected: "a port, or a numeric address with a port such as 127.0.0.1:8080") { scalar in
            ListenAddress(scalar.text) ?? UInt16(scalar.text).flatMap { ListenAddress(":\($0)") }
        }
    }

    private static var blocks: Reader<AddressBlock> {
        Reader(expected: "an address with bits such as 127.0.0.0/8") { AddressBlock($0.text) }
    }

    private static var patterns: Reader<HostPattern> {
        Reader(expected: "a host, *.DOMAIN or \"*\"") { HostPattern($0.text) }
    }

    private static var servers: Reader<(Upstream, FaultProxy.Mode)> {
        Reader(expected: "http://host:port, https://host:port or tcp://host:port without a path") { scalar in
            let text = scalar.text
            guard text.hasPrefix("tcp://") else { return Upstream(url: text).map { ($0, .http) } }
            let authority = String(text.dropFirst("tcp://".count))
            return authority.contains("/") ? nil : Upstream(authority: authority).map { ($0, .bytes) }
        }
    }
}

extension ProxyDefinition.Endpoints {
    private static let ofTLS = [ProxyKey.upstreamCA, .insecureUpstream]

    /// Reads what can be left out.
    fileprivate mutating func read(_ map: MapReader<ProxyKey>) {
        map.set(&host, .host, FaultProxy.HostField.reader)
        map.set(&addsForwardedFields, .xForwarded, .bool)
        map.set(&allowsRequestFaults, .requestFaults, .bool)
        map.set(&tls, .tls, Reader<TLSCase>.choice)
        map.set(&upstreamAuthorities, .upstreamCA, .text)
        if let isInsecure = map.optional(.insecureUpstream, .bool) { verifiesUpstream = !isInsecure }
        switch destination {
        case .server(let upstream) where !upstream.isTLS:
            map.refuse(Self.ofTLS, of: "an upstream without TLS", "it with an upstream of https://")
        case .named(_, let intercepted) where intercepted.isEmpty:
            map.refuse(Self.ofTLS, of: "a forward proxy without \"intercept\"", "both")
        case .server, .named: break
        }
        if upstreamAuthorities != nil, !verifiesUpstream {
            map.problems.add(
                at: map.position(of: .insecureUpstream),
                found: "\"insecure-upstream\" with \"upstream-ca\"",
                expected: "one of them"
            )
        }
    }
}

extension MapReader<ProxyKey> {
    /// Reports those of some keys that are there, although they are not for this kind of proxy.
    fileprivate func refuse(_ keys: [ProxyKey], of kind: String, _ expected: String) {
        for key in keys where self[key] != nil {
            problems.add(at: position(of: key), found: "\"\(key.rawValue)\" of \(kind)", expected: expected)
        }
    }
}

extension FaultProxy.HostField {
    /// Reads `client`, `upstream` or a name; `nil` for a text that cannot be in a field.
    public init?(_ text: String) {
        guard !text.isEmpty, !text.utf8.contains(where: { $0 <= 0x20 || $0 == 0x7F }) else { return nil }
        switch text {
        case "client": self = .client
        case "upstream": self = .upstream
        default: self = .text(text)
        }
    }

    fileprivate static var reader: Reader<FaultProxy.HostField> {
        Reader(expected: "client, upstream or a name") { FaultProxy.HostField($0.text) }
    }
}
