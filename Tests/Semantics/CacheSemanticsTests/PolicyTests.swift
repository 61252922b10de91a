import CacheSemantics
import HTTPTypes
import Testing
import TestSupport

@Suite("Request policies, as Apple defines them")
struct PolicyTests {
    /// The states of the stored response in the matrix's columns; all at second 70.
    enum State: String, CaseIterable, Sendable {
        case none, fresh, freshWithout, stale, staleWithout, noCache, noStore

        var stored: [StoredResponse] {
            switch self {
            case .none: []
            case .fresh: [CacheSemanticsTests.stored("Cache-Control: max-age=600", "ETag: \"v1\"")]
            case .freshWithout: [CacheSemanticsTests.stored("Cache-Control: max-age=600")]
            case .stale: [CacheSemanticsTests.stored("Cache-Control: max-age=60", "ETag: \"v1\"")]
            case .staleWithout: [CacheSemanticsTests.stored("Cache-Control: max-age=60, must-revalidate")]
            case .noCache:
                [CacheSemanticsTests.stored("Cache-Control: no-cache, max-age=600", "ETag: \"v1\"")]
            // Only a caller can have stored it, by hand.
            case .noStore:
                [CacheSemanticsTests.stored("Cache-Control: no-store, max-age=600", "ETag: \"v1\"")]
            }
        }
    }

    struct Row: CustomTestStringConvertible, Sendable {
        let policy: RequestCachePolicy
        /// One outcome for each state, in order.
        let outcomes: [Outcome]
        var testDescription: String { policy.rawValue }
    }

    private static let fresh = Outcome.fresh(age: 70)
    private static let stale = Outcome.stale(age: 70, revalidates: false)

    static let rows = [
        Row(
            policy: .useProtocolCachePolicy,
            outcomes: [.forward, fresh, fresh, .validate, .forward, .validate, .forward]
        ),
        Row(policy: .reloadIgnoringLocalCacheData, outcomes: Array(repeating: .forward, count: 7)),
        Row(policy: .reloadIgnoringLocalAndRemoteCacheData, outcomes: Array(repeating: .forward, count: 7)),
        Row(
            policy: .returnCacheDataElseLoad,
            outcomes: [.forward, fresh, fresh, stale, stale, fresh, fresh]
        ),
        Row(
            policy: .returnCacheDataDontLoad,
            outcomes: [.unavailable, fresh, fresh, stale, stale, fresh, fresh]
        ),
        Row(
            policy: .reloadRevalidatingCacheData,
            outcomes: [.forward, .validate, .forward, .validate, .forward, .validate, .forward]
        ),
    ]

    @Test(
        "Every policy behaves as in the matrix",
        .checks(
            "apple.policy.protocol",
            "apple.policy.reload-ignoring-local",
            "apple.policy.reload-ignoring-remote",
            "apple.policy.return-else-load",
            "apple.policy.return-dont-load",
            "apple.policy.reload-revalidating"
        ),
        arguments: rows,
        State.allCases
    )
    func byMatrix(row: Row, state: State) throws {
        let index = try #require(State.allCases.firstIndex(of: state))
        let planned = CacheEngine().plan(request(), policy: row.policy, stored: state.stored, now: at(70))
        #expect(Outcome(planned) == row.outcomes[index])
    }

    @Test(
        "Reloading sends no validators, and no-cache only if remote caches are ignored, too",
        .checks(
            "apple.policy.reload-ignoring-local",
            "apple.policy.reload-ignoring-remote",
            "rfc9211.2.2.bypass"
        ),
        arguments: [
            (RequestCachePolicy.reloadIgnoringLocalCacheData, [] as [String]),
            (.reloadIgnoringLocalAndRemoteCacheData, ["Cache-Control: no-cache", "Pragma: no-cache"]),
        ]
    )
    func reloadFields(policy: RequestCachePolicy, added: [String]) throws {
        let planned = CacheEngine().plan(
            request("Foo: 1"),
            policy: policy,
            stored: State.fresh.stored,
            now: at(70)
        )
        let sent = try #require(planned.sent)
        #expect(Array(sent.headerFields) == Array(fields(["Foo: 1"] + added)))
        #expect(planned.forwardReason == .bypass)
    }

    @Test("no-cache is not sent twice")
    func noCacheOnce() throws {
        let asking = request("Cache-Control: no-cache", "Pragma: no-cache")
        let planned = CacheEngine()
            .plan(asking, policy: .reloadIgnoringLocalAndRemoteCacheData, stored: [], now: at(0))
        #expect(try #require(planned.sent) == asking)
    }

    @Test(
        "The response to a reload is stored",
        arguments: [RequestCachePolicy.reloadIgnoringLocalCacheData, .reloadIgnoringLocalAndRemoteCacheData]
    )
    func reloadIsStored(policy: RequestCachePolicy) {
        let answer = response("Cache-Control: max-age=60", date: 70)
        let settlement = CacheEngine().exchange(request(), State.fresh.stored, policy: policy, at: 70, answer)
        #expect(settlement.put != nil)
    }

    @Test(
        "A policy that uses any age still respects Vary, invalidation and the method",
        arguments: [
            (RequestCachePolicy.returnCacheDataElseLoad, Outcome.forward),
            (.returnCacheDataDontLoad, .unavailable),
        ]
    )
    func limits(policy: RequestCachePolicy, outcome: Outcome) {
        let engine = CacheEngine()
        let variant = stored("Vary: Foo", "Cache-Control: max-age=60", asked: request("Foo: 1"))
        let invalidated = stored("Cache-Control: max-age=60", isInvalidated: true)
        let entry = stored("Cache-Control: max-age=60")
        let cases = [(request(), variant), (request(), invalidated), (request(method: "POST"), entry)]
        for (asking, entry) in cases + [(request("Range: bytes=0-1"), entry)] {
            #expect(Outcome(engine.plan(asking, policy: policy, stored: [entry], now: at(10))) == outcome)
        }
        #expect(
            Outcome(engine.plan(request(method: "HEAD"), policy: policy, stored: [entry], now: at(10)))
                == .fresh(age: 10)
        )
    }

    @Test(
        "A revalidation is reported as request while the response is fresh and as stale after that",
        .checks("rfc9211.2.2.request", "rfc9211.2.2.stale"),
        arguments: [(State.fresh, ForwardReason.request), (.stale, .stale), (.none, .uriMiss)]
    )
    func revalidatingReason(state: State, reason: ForwardReason) {
        let planned = CacheEngine()
            .plan(request(), policy: .reloadRevalidatingCacheData, stored: state.stored, now: at(70))
        #expect(planned.forwardReason == reason)
    }

    @Test("Without the network only-if-cached results in 504 and dont-load is unavailable")
    func noNetwork() {
        let asking = request("Cache-Control: only-if-cached")
        for policy in [RequestCachePolicy.returnCacheDataElseLoad, .reloadRevalidatingCacheData] {
            #expect(
                Outcome(CacheEngine().plan(asking, policy: policy, stored: [], now: at(0))) == .gatewayTimeout
            )
        }
        let planned = CacheEngine().plan(asking, policy: .returnCacheDataDontLoad, stored: [], now: at(0))
        #expect(Outcome(planned) == .unavailable)
    }
}
