import CacheClient
public import CacheOracle
import CacheSemantics
import CacheStorage
import Clocks
package import Conformance
import CLibrary
import HTTPTypes
import Locks

/// Drives the client through sequences and compares what it does with what the oracle permits.
public struct SequenceRunner: Sendable {
    private let decoration: Decoration

    /// Creates a runner for the client as it is.
    public init() { decoration = Decoration() }

    /// Creates a runner for a client with something around its parts.
    package init(_ decoration: Decoration) { self.decoration = decoration }

    /// Runs a sequence on the calling thread.
    ///
    /// With `observes` an observer is attached, which the shortest paths through the client do without.
    public func run(_ sequence: ExchangeSequence, observes: Bool = false) -> SequenceResult {
        let clock = VirtualClock(wallSeconds: Double(ExchangeSequence.start))
        let transport = GeneratedTransport(sequence, clock: clock)
        guard let store = store(clock) else { return SequenceResult() }
        defer { store.close() }
        let client = client(sequence, store, transport, clock)
        var calls = 0
        for step in sequence.steps {
            switch step {
            case .advance(let seconds):
                transport.state.withLock { $0.result.events.append(.advanced(seconds)) }
                if seconds < 0 {
                    clock.jump(by: .seconds(seconds))
                } else {
                    clock.advance(by: .seconds(seconds))
                }
            case .calls(let group, let order):
                let numbers = (0..<group.count).map { calls + $0 + 1 }
                calls += group.count
                run(group, numbers, order, client, transport, observes ? Witness() : nil)
            }
        }
        return transport.state.withLock { $0.result }
    }

    /// Returns a store in memory; opening it does no I/O and so cannot fail.
    private func store(_ clock: VirtualClock) -> CacheStore? {
        var settings = CacheStore.Configuration()
        settings.largestShare = 1
        do throws(StorageError) { return try CacheStore(settings, clock: clock) } catch { return nil }
    }

    private func client(
        _ sequence: ExchangeSequence,
        _ store: CacheStore,
        _ transport: GeneratedTransport,
        _ clock: VirtualClock
    ) -> CachingClient {
        var settings = CachingClient.Configuration()
        settings.engine.kind = sequence.isShared ? .shared : .private
        settings.followsRedirects = false
        settings.defaultTimeout = nil
        return CachingClient(
            settings,
            store: decoration.store?(store) ?? store,
            decidedBy: decoration.decisions?(settings.engine),
            transport: decoration.transport?(transport) ?? transport,
            clock: clock
        )
    }

    /// Runs the calls of one step until all have their responses.
    private func run(
        _ group: [Call],
        _ numbers: [Int],
        _ order: [Int],
        _ client: CachingClient,
        _ transport: GeneratedTransport,
        _ observer: Witness?
    ) {
        let requests = zip(group, numbers).map { call, number in numbered(call.request, number) }
        transport.state.withLock {
            $0.isHolding = group.count > 1
            $0.result.events.append(.arrived(numbers, requests))
        }
        for (index, request) in requests.enumerated() {
            let (number, now) = (numbers[index], transport.now)
            transport.state.withLock { $0.arrive(number, request, group[index].answers, at: now) }
            client.fetch(clientRequest(request), observer: observer) { result in
                let now = transport.now
                transport.state.withLock { $0.deliver(number, Delivery(result), at: now) }
            }
            transport.serial.drain()
        }
        let ranks = Dictionary(uniqueKeysWithValues: zip(numbers, order))
        answerHeld(transport, ranks)
    }

    /// Answers what is held, in the order of the step, until nothing is under way.
    private func answerHeld(_ transport: GeneratedTransport, _ ranks: [Int: Int]) {
        var roundsLeft = 1_000_000
        while roundsLeft > 0 {
            transport.serial.drain()
            let next = transport.state.withLock { state -> HeldRequest? in
                let first = state.held.indices.min {
                    ranks[state.held[$0].call] ?? 0 < ranks[state.held[$1].call] ?? 0
                }
                return first.map { state.held.remove(at: $0) }
            }
            if let next {
                transport.answer(next, atOnce: false)
            } else if transport.state.withLock({ $0.waiting.isEmpty }) {
                return
            } else {
                // Only what runs on no executor of the client's can still be under way.
                roundsLeft -= 1
                sched_yield()
            }
        }
        transport.state.withLock { state in
            for call in state.waiting {
                state.result.disagreements.append(.init(event: "call \(call)", reasons: ["no response"]))
            }
            state.waiting = []
        }
    }

    private func numbered(_ request: OracleRequest, _ number: Int) -> OracleRequest {
        var request = request
        request.fields["x-step"] = "\(number)"
        return request
    }

    private func clientRequest(_ request: OracleRequest) -> ClientRequest {
        ClientRequest(
            forwarding: HTTPRequest.Method(rawValue: request.method) ?? .get,
            url: request.target,
            fields: HTTPFields(request.fields),
            body: request.hasContent ? .bytes(Array("content".utf8)) : nil
        )
    }
}

/// An observer that ignores everything.
private struct Witness: LoadObserver {
    func observe(_ event: LoadEvent) {}
}

extension Delivery {
    fileprivate init(_ result: Result<ClientResponse, ClientError>) {
        switch result {
        case .success(let response): self = .response(OracleResponse(response))
        case .failure: self = .failure
        }
    }
}
