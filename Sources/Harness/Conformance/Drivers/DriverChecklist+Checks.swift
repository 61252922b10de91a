import CLibrary
import Clocks
import Locks
import ReportFormats
import Scenarios

/// The checks of every driver.
extension DriverChecklist {
    static let steps: [Item] = exchangeSteps + limitSteps + capabilitySteps

    private static let exchangeSteps: [Item] = [
        Item(title: "it starts and replies to hello") { checklist throws(SubjectError) in
            try checklist.greet()
        },
        Item(title: "it clears its cache") { checklist throws(SubjectError) in try checklist.reset() },
        Item(title: "it reports status, fields byte for byte, and content") {
            checklist throws(SubjectError) in
            try checklist.askForText()
        },
        Item(title: "it sends method, fields and content unchanged, including binary content") {
            checklist throws(SubjectError) in try checklist.sendContent()
        },
        Item(title: "it reports binary content") { checklist throws(SubjectError) in
            try checklist.askForBytes()
        },
        Item(title: "it decodes content that is coded with gzip") { checklist throws(SubjectError) in
            try checklist.askForCoded()
        },
        Item(title: "it reports the source of a response as it is, or not at all") {
            checklist throws(SubjectError) in try checklist.compareSources()
        },
        Item(title: "it reports an error if nothing listens, and continues") {
            checklist throws(SubjectError) in
            try checklist.failToConnect()
        },
    ]

    private static let capabilitySteps: [Item] = [
        Item(title: "it does not follow a redirect if asked not to", needs: .redirects) {
            checklist throws(SubjectError) in
            try checklist.leaveRedirect()
        },
        Item(title: "it follows a redirect if asked to", needs: .redirects) {
            checklist throws(SubjectError) in
            try checklist.followRedirect()
        },
        Item(title: "it gives up a request after its timeout", needs: .timeout) {
            checklist throws(SubjectError) in
            try checklist.awaitTimeout()
        },
        Item(title: "it answers two concurrent requests", needs: .parallel) {
            checklist throws(SubjectError) in try checklist.askTwice()
        },
        Item(title: "it keeps stored responses across a restart", needs: .restart) {
            checklist throws(SubjectError) in try checklist.restart()
        },
        Item(title: "it treats a response as stale after its clock was advanced", needs: .advance) {
            checklist throws(SubjectError) in try checklist.advance()
        },
        Item(title: "it reports when its background work is done", needs: .idle) {
            checklist throws(SubjectError) in
            _ = try checklist.ask(.idle)
        },
        Item(title: "it reports its stored responses", needs: .dump) { checklist throws(SubjectError) in
            if try checklist.ask(.dump).entries == nil { throw SubjectError("its reply has no \"entries\"") }
        },
        Item(title: "it ends when its standard input ends") { checklist throws(SubjectError) in
            try checklist.end()
        },
    ]

    mutating func greet() throws(SubjectError) {
        let link = try DriverLink(command, clock: clock)
        self.link = link
        // The first start may install or compile dependencies.
        let reply = try link.ask(.hello, within: max(timeout, .seconds(20)) * 15).orThrow()
        guard let hello = reply.hello else {
            throw SubjectError(
                "its reply to hello lacks \"protocol\", \"name\", \"version\", \"kind\" or \"capabilities\""
            )
        }
        self.hello = hello
    }

    func reset() throws(SubjectError) {
        _ = try ask(.reset(wallSeconds: clock.wallSeconds))
    }

    private func askForText() throws(SubjectError) {
        let seen = try response(to: SubjectRequest(method: "GET", url: url("/stored")))
        try require("status", seen.status == 200, expected: "200", seen: "\(seen.status ?? 0)")
        try require("body", seen.body == Array("one".utf8), expected: "one", seen: text(seen.body))
    }

    private func sendContent() throws(SubjectError) {
        let content: [UInt8] = [0, 200, 10, 255]
        var request = SubjectRequest(method: "POST", url: url("/bytes", query: "a=1"), body: content)
        request.fields = [("X-Twice", "1"), ("X-Twice", "2"), ("Content-Type", "application/octet-stream")]
        _ = try response(to: request)
        guard let arrived = origin.record(after: 0).last?.request else {
            throw SubjectError("nothing reached the origin")
        }
        try require("method at the origin", arrived.method == "POST", expected: "POST", seen: arrived.method)
        try require(
            "query at the origin",
            arrived.query == "a=1",
            expected: "a=1",
            seen: arrived.query ?? "none"
        )
        try require(
            "content at the origin",
            arrived.body == content,
            expected: text(content),
            seen: text(arrived.body)
        )
        let lines = arrived.fields.filter { $0.name.lowercased() == "x-twice" }.map(\.value).joined(
            separator: ", "
        )
        try require(
            "X-Twice at the origin",
            lines.filter { $0 != " " } == "1,2",
            expected: "1, 2",
            seen: lines
        )
    }

    private func askForBytes() throws(SubjectError) {
        let seen = try response(to: SubjectRequest(method: "GET", url: url("/bytes")))
        let expected: [UInt8] = [0, 255, 10, 13, 128]
        try require("body", seen.body == expected, expected: text(expected), seen: text(seen.body))
    }

    private func askForCoded() throws(SubjectError) {
        let seen = try response(to: SubjectRequest(method: "GET", url: url("/coded")))
        try require("body", seen.body == Array("plain".utf8), expected: "plain", seen: text(seen.body))
    }

    /// Requests a response that may be reused, twice, and compares each source with what the origin saw.
    private func compareSources() throws(SubjectError) {
        for _ in 0..<2 {
            let before = origin.record(after: 0).count
            let seen = try response(to: SubjectRequest(method: "GET", url: url("/fresh")))
            guard let source = seen.source else { continue }
            let arrivals = origin.record(after: before)
            let conditions = arrivals.flatMap(\.request.fields).map { $0.name.lowercased() }
            let expected: [Provenance] =
                if arrivals.isEmpty {
                    [.memory, .disk, .cache]
                } else if conditions.contains("if-none-match") {
                    [.validated]
                } else {
                    [.origin]
                }
            let count = counted(arrivals.count, "request")
            try require(
                "source where the origin saw \(count)",
                expected.contains(source),
                expected: expected.text,
                seen: source.rawValue
            )
        }
    }

    private func failToConnect() throws(SubjectError) {
        guard let port = Loopback.freePort() else { return }
        let request = SubjectRequest(method: "GET", url: "http://127.0.0.1:\(port)/")
        let reply = try ask(.request(request), orThrow: false)
        guard let failure = reply.failure else {
            throw SubjectError("it reports a response although nothing listens")
        }
        guard hello?.capabilities.contains(.errors) == true else { return }
        try require("error", failure.kind == "cannot-connect", expected: "cannot-connect", seen: failure.kind)
    }

    private func leaveRedirect() throws(SubjectError) {
        var request = SubjectRequest(method: "GET", url: url("/moved"))
        request.followsRedirects = false
        let reply = try ask(.request(request))
        try require(
            "status",
            reply.response?.status == 302,
            expected: "302",
            seen: "\(reply.response?.status ?? 0)"
        )
    }

    private func followRedirect() throws(SubjectError) {
        let seen = try response(to: SubjectRequest(method: "GET", url: url("/moved")))
        try require("status", seen.status == 200, expected: "200", seen: "\(seen.status ?? 0)")
        try require("body", seen.body == Array("target".utf8), expected: "target", seen: text(seen.body))
        // Drivers that do not count redirects also report 0.
        try require("redirects", seen.redirects <= 1, expected: "1, or nothing", seen: "\(seen.redirects)")
    }

    private func awaitTimeout() throws(SubjectError) {
        var request = SubjectRequest(method: "GET", url: url("/stalled"))
        request.timeout = .milliseconds(300)
        let reply = try ask(.request(request), orThrow: false)
        guard reply.failure != nil else { throw SubjectError("it reports a response that was never sent") }
    }

    private func askTwice() throws(SubjectError) {
        let done = Lock(0)
        let signal = Signal()
        for path in ["/stored", "/bytes"] {
            let request = SubjectRequest(method: "GET", url: url(path))
            link?.ask(.request(request), within: timeout) { reply in
                if case .success(let reply) = reply, reply.response != nil { done.withLock { $0 += 1 } }
                signal.raise()
            }
        }
        let deadline = clock.elapsed + timeout
        while signal.count < 2, signal.wait(after: signal.count, until: deadline) {}
        let count = done.withLock { $0 }
        try require("responses", count == 2, expected: "2", seen: "\(count)")
    }

    private func restart() throws(SubjectError) {
        _ = try ask(.restart)
        _ = try response(to: SubjectRequest(method: "GET", url: url("/stored")))
    }

    private func advance() throws(SubjectError) {
        let request = SubjectRequest(method: "GET", url: url("/stored"))
        _ = try response(to: request)
        let before = origin.record(after: 0).count
        _ = try ask(.advance(.seconds(61)))
        _ = try response(to: request)
        let count = origin.record(after: before).count
        try require("requests at the origin", count == 1, expected: "1", seen: "\(count)")
    }

    private mutating func end() throws(SubjectError) {
        let status = link?.finish(within: .seconds(5))
        link = nil
        guard let status else { throw SubjectError("it still runs 5 s after the end of its standard input") }
        try require("end", status == "exited with status 0", expected: "exited with status 0", seen: status)
    }
}
