import CacheSemantics
import HTTPTypes
import Testing

/// Each rule that decides something is noted, and no other, so that an explanation is complete and true.
@Suite("The findings of usual exchanges")
struct FindingTests {
    /// Returns the findings as `+4.2.fresh` for a rule of RFC 9111 that held, `-9211.2.2.stale` for one of another RFC
    /// that did not.
    private func written(_ findings: [Finding]) -> [String] {
        findings.map { finding in
            let id = finding.rule.rawValue
            let short = id.trimmingPrefix("rfc9111.").trimmingPrefix("rfc")
            return (finding.held ? "+" : "-") + short
        }
    }

    private static let minute = ["Cache-Control: max-age=60", "ETag: \"v1\""]
    private static let strict = ["Cache-Control: max-age=60, must-revalidate", "ETag: \"v1\""]
    private static let stale = ["+4.2.1.max-age", "+4.2.3.apparent", "-4.2.fresh"]

    @Test(
        "A plan notes what decides it",
        arguments: [
            ([], minute, 10, ["+4.2.1.max-age", "+4.2.3.apparent", "+4.2.fresh", "+4.age-field"]),
            (
                ["Cache-Control: no-cache"], minute, 10,
                ["-5.2.1.4.no-cache", "+9211.2.2.request", "+4.3.1.entity-tag"]
            ),
            (["Pragma: no-cache"], minute, 10, ["-5.4.pragma", "+9211.2.2.request", "+4.3.1.entity-tag"]),
            ([], minute, 61, stale + ["-4.2.4.allowed", "+9211.2.2.stale", "+4.3.1.entity-tag"]),
            (
                [], strict, 61,
                stale + [
                    "-5.2.2.2.must-revalidate", "-4.2.4.forbidden", "-4.2.4.allowed", "+9211.2.2.stale",
                    "+4.3.1.entity-tag",
                ]
            ),
            (
                ["Cache-Control: max-stale=9"], minute, 69,
                stale + ["+5.2.1.2.max-stale", "+4.age-field"]
            ),
            (
                ["Cache-Control: max-age=9"], minute, 10,
                [
                    "+4.2.1.max-age", "+4.2.3.apparent", "+4.2.fresh", "-5.2.1.1.max-age",
                    "+9211.2.2.request", "+4.3.1.entity-tag",
                ]
            ),
            (
                [], ["Cache-Control: no-cache", "ETag: \"v1\""], 10,
                ["-5.2.2.4.no-cache", "-4.no-cache", "+4.3.1.entity-tag"]
            ),
            (
                [], ["Cache-Control: max-age=1", "Last-Modified: \(at(-9).text)"], 2,
                stale + ["-4.2.4.allowed", "+9211.2.2.stale", "+4.3.1.last-modified"]
            ),
        ] as [([String], [String], Int64, [String])]
    )
    func plans(asks: [String], known: [String], second: Int64, findings: [String]) {
        let entry = stored(lines: known)
        #expect(written(CacheEngine().plan(request(lines: asks), [entry], at: second).findings) == findings)
    }

    @Test(
        "A plan without a stored response notes why the request is forwarded",
        arguments: [
            ("GET", [], ["+9211.2.2.uri-miss"]),
            ("GET", ["If-None-Match: \"v1\""], ["+4.3.2.forwarded", "+9211.2.2.uri-miss"]),
            ("GET", ["Range: bytes=0-4"], ["+9110.14.2.range-forwarded", "+9211.2.2.uri-miss"]),
            ("GET", ["Cache-Control: only-if-cached"], ["+9211.2.2.uri-miss", "-5.2.1.7.only-if-cached"]),
            ("OPTIONS", [], ["-4.method", "+9211.2.2.method"]),
            ("POST", [], ["-4.method", "+4.write-through", "+9211.2.2.method"]),
        ] as [(String, [String], [String])]
    )
    func misses(method: String, asks: [String], findings: [String]) {
        var asking = request(method: method)
        asking.headerFields = fields(asks)
        #expect(written(CacheEngine().plan(asking, [], at: 0).findings) == findings)
    }

    @Test(
        "A policy is noted where it decides, and not what it overrides",
        arguments: [
            (
                .reloadIgnoringLocalCacheData, true,
                ["+apple.policy.reload-ignoring-local", "+9211.2.2.bypass"]
            ),
            (
                .reloadIgnoringLocalAndRemoteCacheData, true,
                ["+apple.policy.reload-ignoring-remote", "+9211.2.2.bypass"]
            ),
            (.returnCacheDataElseLoad, true, ["+apple.policy.return-else-load", "+4.age-field"]),
            (.returnCacheDataElseLoad, false, ["+9211.2.2.uri-miss"]),
            (.returnCacheDataDontLoad, true, ["+apple.policy.return-dont-load", "+4.age-field"]),
            (.returnCacheDataDontLoad, false, ["+9211.2.2.uri-miss", "-apple.policy.return-dont-load"]),
            (.reloadRevalidatingCacheData, true, ["+apple.policy.reload-revalidating", "+4.3.1.entity-tag"]),
        ] as [(RequestCachePolicy, Bool, [String])]
    )
    func policies(policy: RequestCachePolicy, isStored: Bool, findings: [String]) {
        let known = isStored ? [stored(lines: Self.minute)] : []
        let planned = CacheEngine().plan(request(), policy: policy, stored: known, now: at(61))
        #expect(written(planned.findings) == findings)
    }

    private static let storable = ["+4.4.safe", "+3.final-status", "+3.no-store"]

    @Test(
        "A response without a stored one notes what decides whether it is stored",
        arguments: [
            (
                "GET", 200, ["Cache-Control: max-age=60"],
                storable + ["+9110.15.1.heuristic", "+3.explicit-or-heuristic"]
            ),
            (
                "GET", 302, ["Cache-Control: max-age=60"],
                storable + ["+3.explicit-any-status", "+3.explicit-or-heuristic"]
            ),
            ("GET", 302, [], storable + ["-3.explicit-or-heuristic"]),
            ("GET", 500, [], storable + ["-3.explicit-or-heuristic"]),
            (
                "GET", 200, ["Cache-Control: no-store"],
                ["+4.4.safe", "+3.final-status", "-3.no-store", "-5.2.2.5.no-store"]
            ),
            (
                "GET", 599, ["Cache-Control: must-understand"],
                ["+4.4.safe", "+3.final-status", "-5.2.2.3.unknown-status"]
            ),
            ("GET", 428, [], ["+4.4.safe", "-3.status-understood"]),
            ("HEAD", 200, [], ["+4.4.safe", "-3.method-understood"]),
            ("DELETE", 204, [], ["+4.4.unsafe", "-3.method-understood"]),
            ("DELETE", 404, [], ["+4.4.error", "-3.method-understood"]),
            ("FOO", 200, ["Location: /b"], ["+4.4.unknown-method", "+4.4.location", "-3.method-understood"]),
        ] as [(String, Int, [String], [String])]
    )
    func stores(method: String, status: Int, lines: [String], findings: [String]) {
        let settled = CacheEngine().exchange(request(method: method), response(lines: lines, status: status))
        #expect(written(settled.findings) == findings)
    }

    @Test(
        "The response to a validation notes what becomes of the stored one",
        arguments: [
            (
                304, ["ETag: \"v1\""],
                [
                    "+4.4.safe", "+4.3.4.strong", "+9110.8.8.3.2.strong", "+3.2.replaces-fields",
                    "+4.3.3.not-modified",
                ]
            ),
            (304, ["ETag: \"v2\""], ["+4.4.safe", "-4.3.4.strong", "-9110.8.8.3.2.strong", "+4.3.4.none"]),
            (
                200, ["Cache-Control: max-age=60"],
                [
                    "+4.4.safe", "+4.3.3.full", "+3.final-status", "+3.no-store", "+9110.15.1.heuristic",
                    "+3.explicit-or-heuristic", "+3.replaces",
                ]
            ),
            (
                503, [],
                [
                    "+4.4.safe", "+5861.4.errors", "+4.3.3.server-error", "+3.final-status", "+3.no-store",
                    "-3.explicit-or-heuristic",
                ]
            ),
        ] as [(Int, [String], [String])]
    )
    func validations(status: Int, lines: [String], findings: [String]) {
        let entry = stored(lines: Self.minute)
        let settled = CacheEngine().exchange(
            request(),
            [entry],
            at: 61,
            response(lines: lines, status: status, date: 61)
        )
        #expect(written(settled.findings) == findings)
    }

    @Test(
        "An origin that cannot be reached notes whether the stale response replaces it",
        arguments: [
            ([], minute, ["+4.2.4.disconnected", "+4.age-field"]),
            ([], strict, ["-5.2.2.2.must-revalidate", "-4.2.4.forbidden", "+5.2.2.2.gateway-timeout"]),
            (["Cache-Control: no-cache"], minute, ["-5.2.1.4.no-cache"]),
            (["Cache-Control: max-age=60"], minute, ["-5.2.1.1.max-age"]),
            (["Cache-Control: max-stale=0"], minute, ["-5.2.1.2.max-stale"]),
            (["Cache-Control: max-stale=1"], minute, ["+5.2.1.2.max-stale", "+4.age-field"]),
            (["Cache-Control: max-stale"], minute, ["+5.2.1.2.max-stale-any", "+4.age-field"]),
            (["Cache-Control: min-fresh=1"], minute, ["-5.2.1.3.min-fresh"]),
            (["Cache-Control: stale-if-error=0"], minute, ["-5861.4.past-window"]),
            (["Cache-Control: stale-if-error=1"], minute, ["+5861.4.request", "+4.age-field"]),
        ] as [([String], [String], [String])]
    )
    func failures(asks: [String], known: [String], findings: [String]) {
        let entry = stored(lines: known)
        #expect(written(CacheEngine().failure(request(lines: asks), [entry], at: 61).findings) == findings)
    }

    @Test("Parts that have all requested bytes are not reported as lacking some, RFC 9111 §4.3.2")
    func usableParts() {
        let planned = CacheEngine().plan(
            request("If-None-Match: \"v2\""),
            [stored(lines: Self.minute)],
            at: 61
        )
        #expect(planned.held(.callerTagsJoined) == true)
        #expect(planned.held(.partialTagApart) == nil)
    }

    @Test(
        "A 304 without validators is not said to name a variant that the request does not select, RFC 9111 §4.3.4"
    )
    func otherVariant() {
        let entry = stored("Cache-Control: max-age=60", "ETag: \"v1\"", "Vary: Foo", asked: request("Foo: 1"))
        let settled = CacheEngine().exchange(
            request("Foo: 2"),
            [entry],
            at: 10,
            response(status: 304, date: 10)
        )
        #expect(Settled(settled) == .retry)
        #expect(settled.held(.freshenOnlyCandidate) == nil)
    }

    @Test("A shared cache notes that a private response is for one user, RFC 9111 §3")
    func privateInShared() {
        let settled = CacheEngine.shared.exchange(response("Cache-Control: private, max-age=60"))
        #expect(written(settled.findings) == Self.storable + ["-5.2.2.7.private", "-3.private-in-shared"])
    }

    @Test("A 304 to the caller's own preconditions is noted as such, RFC 9111 §4.3.2")
    func callersNotModified() {
        let settled = CacheEngine().exchange(
            request("If-None-Match: \"v1\""),
            response("ETag: \"v1\"", status: 304)
        )
        #expect(settled.held(.callerConditionForwarded) == true)
    }

    @Test("What is left out of separated parts, or added to them, is noted, RFC 9111 §3.1, RFC 9110 §6.6.1")
    func separatedParts() {
        let settled = CacheEngine().exchange(
            request("Range: bytes=0-1,4-5"),
            response(
                "Cache-Control: max-age=60",
                "Content-Type: multipart/byteranges; boundary=b",
                "Connection: Foo",
                status: 206,
                date: nil
            )
        )
        #expect(settled.held(.dropConnectionFields) == true)
        #expect(settled.held(.dateMissing) == true)
    }
}
