import Clocks
import FuzzInput

@testable import FaultProxy

/// Files of rules with the requests that they match, and upstreams as options name them.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let text = FuzzInput(start, count).text
    if let upstream = Upstream(authority: text) {
        precondition(!upstream.host.isEmpty && upstream.port > 0, "\(text) names no server")
    }
    _ = Upstream(url: text)
    if let pattern = HostPattern(text), !text.contains("*") {
        precondition(pattern.matches(text), "\(text) does not match itself")
    }
    _ = try? ProxyFile.decode(text, path: "proxies.yaml")
    guard let file = try? ProxyRuleFile.decode(text, path: "rules.yaml") else { return 0 }
    let table = RuleTable(file, clock: VirtualClock(timeSinceEpoch: .seconds(1_700_000_000)))
    for request in requests { _ = table.choose(request) { _ in true } }
    precondition(table.requestCounts.allSatisfy { $0 <= requests.count }, "\(table.requestCounts) matched")
    return 0
}

private let requests: [ProxiedRequestHead] = [
    "GET /", "GET /a/b.png?c=d", "POST /a", "GET http://a.example/",
].compactMap {
    ProxiedRequestHead(HeadBytes(Array("\($0) HTTP/1.1\r\nHost: a.example\r\nCookie: a=b\r\n\r\n".utf8)))
}
