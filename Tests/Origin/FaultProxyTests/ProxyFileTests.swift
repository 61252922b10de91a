import Addresses
import LocatedYAML
import OriginScript
import TestSupport
import Testing

@testable import FaultProxy

@Suite("A file of proxies")
struct ProxyFileTests {
    private static let one = "proxies:\n  - {name: a, listen: 0, upstream: \"http://127.0.0.1:80\""

    private static let forward = "proxies:\n  - {name: a, listen: 0, forward: true"

    @Test("All keys of a file are read")
    func reads() throws {
        let file = try ProxyFile.decode(
            """
            seed: 18446744073709551615
            proxies:
              - name: api
                listen: "[::1]:8080"
                upstream: https://example.org
                host: upstream
                x-forwarded: true
                request-faults: true
                tls: expired
                upstream-ca: ca.pem
                network: apple:3g
                faults: [reset@accept chance=1%]
                rules: [{path: /a, answer: pass}]
              - {name: db, listen: 5432, upstream: "tcp://db:5432", faults: reset@body:9}
              - name: all
                listen: 8081
                forward: true
                allow: [127.0.0.0/8, "::1"]
                intercept: "*.example.com"
                insecure-upstream: true
            """,
            path: "p.yaml"
        )
        #expect(file.seed == .max)
        #expect(file.proxies.map(\.name) == ["api", "db", "all"])
        let (api, bytes, all) = (file.proxies[0], file.proxies[1], file.proxies[2])
        #expect(api.endpoints.listen.description == "[::1]:8080")
        #expect((api.endpoints.upstream?.port, api.endpoints.upstream?.isTLS) == (443, true))
        #expect((api.endpoints.host, api.endpoints.mode) == (.upstream, .http))
        #expect(api.endpoints.addsForwardedFields && api.endpoints.allowsRequestFaults)
        #expect((api.endpoints.tls, api.endpoints.upstreamAuthorities) == (.expired, "ca.pem"))
        #expect(api.network?.description == "apple:3g")
        #expect((api.rules.count, api.rules.faults.count) == (1, 1))
        #expect((bytes.endpoints.mode, bytes.endpoints.listen.description) == (.bytes, "127.0.0.1:5432"))
        #expect(bytes.endpoints.upstream?.authority == "db:5432")
        #expect(bytes.endpoints.upstreamURL == "tcp://db:5432")
        let blocks = try ["127.0.0.0/8", "::1/128"].map { try #require(AddressBlock($0)) }
        let pattern = try #require(HostPattern("*.example.com"))
        #expect(all.endpoints.destination == .named(allowed: blocks, intercepted: [pattern]))
        #expect((all.endpoints.verifiesUpstream, all.endpoints.upstreamURL) == (false, nil))
    }

    @Test(
        "A problem is reported with its place",
        arguments: [
            ("{}", "p.yaml:1:1: found a file of proxies without \"proxies\""),
            ("proxies: []", "p.yaml:1:10: found an empty list"),
            ("proxies:\n  - name: a", "p.yaml:2:5: found a proxy without \"listen\""),
            ("proxies:\n  - {name: a, listen: 1}", "p.yaml:2:5: found a proxy without \"upstream\""),
            (
                "proxies:\n  - {name: a, listen: 1, forward: false}",
                "p.yaml:2:5: found a proxy without \"upstream\""
            ),
            ("\(one), forward: true}", "p.yaml:2:26: found \"upstream\" of a forward proxy"),
            ("\(one), allow: \"::1\"}", "p.yaml:2:59: found \"allow\" of a proxy that does not forward"),
            ("\(forward), allow: 1.2.3.4/33}", "p.yaml:2:48: found \"1.2.3.4/33\""),
            ("\(forward), intercept: [\"a*\"]}", "p.yaml:2:53: found \"a*\""),
            ("\(forward), tls: good}", "p.yaml:2:41: found \"tls\" of a forward proxy"),
            ("\(forward), host: client}", "p.yaml:2:41: found \"host\" of a forward proxy"),
            (
                "\(forward), upstream-ca: f}",
                "p.yaml:2:41: found \"upstream-ca\" of a forward proxy without \"intercept\""
            ),
            ("\(one), prot: 1}", "p.yaml:2:59: found unknown key \"prot\" in a proxy"),
            ("proxies:\n  - {name: a b, listen: 1, upstream: \"http://h\"}", "p.yaml:2:12: found "),
            ("proxies:\n  - {name: a, listen: host:x, upstream: \"http://h\"}", "p.yaml:2:23: found "),
            ("proxies:\n  - {name: a, listen: 70000, upstream: \"http://h\"}", "p.yaml:2:23: found "),
            ("proxies:\n  - {name: a, listen: 1, upstream: \"http://h/path\"}", "p.yaml:2:36: found "),
            ("proxies:\n  - {name: a, listen: 1, upstream: \"tcp://h\"}", "p.yaml:2:36: found "),
            (
                "proxies:\n  - {name: a, listen: 1, upstream: \"tcp://h:1\", rules: []}",
                "p.yaml:2:49: found \"rules\""
            ),
            (
                "proxies:\n  - {name: a, listen: 1, upstream: \"tcp://h:1\", faults: reset@head}",
                "p.yaml:2:57: found reset@head, which needs HTTP"
            ),
            ("\(one), upstream-ca: f}", "p.yaml:2:59: found \"upstream-ca\" of an upstream without TLS"),
            ("\(one), rules: [{answer: pas}]}", "p.yaml:2:76: found \"pas\""),
            (
                "\(one)}\n  - {name: a, listen: 0, upstream: \"http://h\"}",
                "p.yaml:3:5: found name \"a\" of another proxy"
            ),
            (
                "proxies:\n  - {name: a, listen: 9, upstream: \"http://h\"}\n  - {name: b, listen: 9, upstream: \"http://h\"}",
                "p.yaml:3:5: found 127.0.0.1:9, where another proxy listens"
            ),
            ("seed: -1\n\(one)}", "p.yaml:1:7: found "),
        ]
    )
    func problems(_ text: String, _ expected: String) {
        do throws(YAMLProblems) {
            _ = try ProxyFile.decode(text, path: "p.yaml")
            Issue.record("no problem")
        } catch {
            #expect(error.description.hasPrefix(expected), "\(error)")
        }
    }

    @Test(
        "An address is read as it is written",
        arguments: [
            ("127.0.0.1:80", "127.0.0.1:80"), (":0", "127.0.0.1:0"), ("localhost:1", "127.0.0.1:1"),
            ("[::]:65535", "[::]:65535"), ("::1:80", nil), ("1.2.3.4", nil), ("1.2.3.4:", nil), ("", nil),
            ("1.2.3.4:65536", nil),
        ]
    )
    func addresses(_ text: String, _ expected: String?) {
        #expect(ListenAddress(text)?.description == expected)
    }
}
