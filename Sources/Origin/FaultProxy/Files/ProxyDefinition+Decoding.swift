import LocatedYAML
import OriginScript

/// The keys of a proxy.
enum ProxyKey: String, MapKey {
    case name, listen, upstream, host, xForwarded = "x-forwarded", requestFaults = "request-faults", tls
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
            let server = map.required(.upstream, servers)
            guard let name, let listen, let server else { return nil }
            var endpoints = Endpoints(listen: listen, upstream: server.0, mode: server.1)
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

    private func refuseHTTP(_ map: MapReader<ProxyKey>) {
        for key in map.keys where key.isOfHTTP {
            map.problems.add(
                at: map.position(of: key),
                found: "\"\(key.rawValue)\" of a proxy for tcp://",
                expected: "it with an upstream of http:// or https://"
            )
        }
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
    /// Reads what can be left out.
    fileprivate mutating func read(_ map: MapReader<ProxyKey>) {
        map.set(&host, .host, FaultProxy.HostField.reader)
        map.set(&addsForwardedFields, .xForwarded, .bool)
        map.set(&allowsRequestFaults, .requestFaults, .bool)
        map.set(&tls, .tls, Reader<TLSCase>.choice)
        map.set(&upstreamAuthorities, .upstreamCA, .text)
        if let isInsecure = map.optional(.insecureUpstream, .bool) { verifiesUpstream = !isInsecure }
        for key in [ProxyKey.upstreamCA, .insecureUpstream] where map[key] != nil && !upstream.isTLS {
            map.problems.add(
                at: map.position(of: key),
                found: "\"\(key.rawValue)\" of an upstream without TLS",
                expected: "it with an upstream of https://"
            )
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
