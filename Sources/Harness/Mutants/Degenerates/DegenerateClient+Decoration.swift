import CacheClient
import CacheSemantics
import CacheStorage
import Conformance
import HTTPTypes
import Scenarios

extension DegenerateClient {
    /// The decorators of the built-in client's parts that make it this client.
    var decoration: Decoration {
        var decoration = Decoration()
        switch self {
        case .neverStores: decoration.store = { RefusingStore($0) }
        case .servesForever: decoration.decisions = { DefectiveEngine(base: $0, defect: .servingForever) }
        case .alwaysValidates: decoration.decisions = { DefectiveEngine(base: $0, defect: .validating) }
        case .responds500: decoration.transport = { FailingTransport(base: $0) }
        }
        return decoration
    }
}

/// A store that refuses every entry.
private final class RefusingStore: ResponseStoreDecorator {
    let base: any ResponseStore

    init(_ base: any ResponseStore) { self.base = base }

    func entries(for key: CacheKey) -> StoredEntries { StoredEntries() }
    func put(_ entry: CacheEntry, watchedBy watch: KeyWatch?) -> PutOutcome { .refused(.noTier) }
    func admits(_ entry: CacheEntry) -> Bool { false }
    func freshen(_ stored: StoredResponse, seen: CacheEntry?) -> Bool { false }
}

/// A transport whose every response is a 500, with no request on the wire.
private struct FailingTransport: Transport {
    let base: any Transport

    var executor: (any TaskExecutor)? { base.executor }

    func start(_ request: TransportRequest, receiver: any TransportReceiver) -> any TransportExchange {
        receiver.receive(
            rest: TransportRest(
                head: HTTPResponse(status: .internalServerError),
                piece: [],
                end: .success(TransportEnd())
            )
        )
        return EndedExchange()
    }
}

extension EngineDefect {
    /// Stores every response to GET, and reuses the latest for every GET and HEAD of its key.
    fileprivate static var servingForever: EngineDefect {
        var defect = plan { planned, question in
            guard [.get, .head].contains(question.request.method), let stored = question.stored.last else {
                return nil
            }
            return .serve(Reuse(stored: stored, age: 0, lifetime: .max, isStale: false, revalidation: nil))
        }
        defect.settlement = { settlement, exchanged in
            settlement.with(edits: exchanged.stored.map { [.put($0)] } ?? [])
        }
        return defect
    }

    /// Validates, or requests anew, everything that the engine would reuse.
    fileprivate static var validating: EngineDefect {
        serving { _, question in question.withPolicy(.reloadRevalidatingCacheData).answer.plan }
    }
}

extension Exchanged {
    /// The response to a GET, stored unconditionally, regardless of its fields; `nil` for other methods.
    fileprivate var stored: StoredResponse? {
        guard method == .get, let response else { return nil }
        return StoredResponse(
            key: planned.key,
            variant: VariantKey(),
            method: method,
            selectingFields: [:],
            response: response,
            requestTime: received,
            responseTime: received
        )
    }
}
