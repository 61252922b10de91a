import CacheClient
import CacheSemantics
import HTTPTypes
import Testing

@Suite("The member of Cache-Status, RFC 9211 §2")
struct CacheStatusTests {
    /// Returns a status after a change.
    private static func status(
        isHit: Bool = false,
        forward: ForwardReason? = .miss,
        _ change: (inout CacheStatus) -> Void = { _ in }
    ) -> CacheStatus {
        var status = CacheStatus(key: "k", isHit: isHit, forward: forward)
        change(&status)
        return status
    }

    @Test(
        "Each parameter that applies is written in its form",
        arguments: [
            (status(isHit: true, forward: nil), "CacheCheck; hit; key=\"k\""),
            (
                status(isHit: true, forward: nil) { $0.ttl = .seconds(-5) },
                "CacheCheck; hit; ttl=-5; key=\"k\""
            ),
            (status(), "CacheCheck; fwd=miss; key=\"k\""),
            (status { $0.forwardStatus = 304 }, "CacheCheck; fwd=miss; fwd-status=304; key=\"k\""),
            (status { $0.isStored = true }, "CacheCheck; fwd=miss; stored; key=\"k\""),
            (status { $0.isStored = false }, "CacheCheck; fwd=miss; stored=?0; key=\"k\""),
            (status { $0.isCollapsed = true }, "CacheCheck; fwd=miss; collapsed; key=\"k\""),
            (status { $0.isCollapsed = false }, "CacheCheck; fwd=miss; collapsed=?0; key=\"k\""),
            (status(isHit: true, forward: nil) { $0.isCollapsed = true }, "CacheCheck; hit; key=\"k\""),
            (status { $0.detail = "why" }, "CacheCheck; fwd=miss; key=\"k\"; detail=\"why\""),
            (status { $0.key = "a\"b\\c ~\u{7F}\u{1F}ü" }, "CacheCheck; fwd=miss; key=\"a\\\"b\\\\c ~???\""),
        ]
    )
    func description(status: CacheStatus, text: String) {
        #expect(status.description == text)
        var fields: HTTPFields = [CacheStatus.fieldName: "Origin; hit"]
        status.append(to: &fields)
        #expect(CacheStatus.members(of: fields) == ["Origin; hit", text])
    }

    @Test("The parameters have their values by name, and those that do not apply are missing")
    func parameters() {
        let status = Self.status {
            ($0.forwardStatus, $0.isStored, $0.isCollapsed) = (200, false, true)
            ($0.ttl, $0.detail) = (.seconds(7), "why")
        }
        #expect(
            status.parameters == [
                "fwd": "miss", "fwd-status": "200", "stored": "false", "collapsed": "true", "ttl": "7",
                "key": "k", "detail": "why",
            ]
        )
        #expect(Self.status(isHit: true, forward: nil).parameters == ["hit": "true", "key": "k"])
        #expect(CacheStatus.keyParameter("a\"") == "; key=\"a\\\"\"")
    }
}
