import CacheSemantics
import CacheStorage
import Clocks
import HTTPTypes
import Locks
import Testing

@testable import CacheClient

@Suite("One exchange as a task sees it", .timeLimit(.minutes(20)))
struct ExchangeTests {
    /// A transport for one exchange that the test continues; it ends when it is cancelled.
    private final class Sender: Transport, TransportExchange {
        private struct State {
            var calls: [String] = []
            var receiver: (any TransportReceiver)?
        }
        private let state = Lock(State())
        private let endsAtOnce: Bool

        init(endsAtOnce: Bool = false) { self.endsAtOnce = endsAtOnce }

        var calls: [String] { state.withLock { $0.calls } }

        func start(_ request: TransportRequest, receiver: any TransportReceiver) -> any TransportExchange {
            state.withLock { $0.receiver = receiver }
            if endsAtOnce { receiver.receive(end: .success(TransportEnd())) }
            return self
        }

        func resume() { state.withLock { $0.calls.append("resume") } }

        func cancel() {
            let receiver = state.withLock { state in
                state.calls.append("cancel")
                defer { state.receiver = nil }
                return state.receiver
            }
            receiver?.receive(end: .failure(.requestCancelled))
        }
    }
    private let clock = VirtualClock(wallSeconds: startOfTime)
    private let sender = Sender()
    private static let request = TransportRequest(
        head: HTTPRequest(method: .get, scheme: "http", authority: "a", path: "/")
    )
    private static let ok = HTTPResponse(status: .ok)

    /// Starts an exchange.
    private func exchange(
        timeout: Duration? = nil,
        deadline: Duration? = nil,
        limits: Exchange.Limits = Exchange.Limits()
    ) -> Exchange {
        let exchange = Exchange(
            clock: clock,
            timeout: timeout,
            deadline: deadline,
            limits: limits,
            at: clock.elapsed
        )
        #expect(!exchange.begin(Self.request, over: sender, at: clock.elapsed))
        return exchange
    }

    private static func bytes(_ count: Int) -> [UInt8] { [UInt8](repeating: 1, count: count) }

    private func end(_ exchange: Exchange, isChecked: Bool = true) {
        var end = TransportEnd()
        end.isLengthChecked = isChecked
        exchange.receive(end: .success(end))
    }

    /// Returns the error with which an exchange has ended; `nil` if it is successful or has not ended.
    private func error(_ exchange: Exchange) -> TransportError? {
        do throws(TransportError) {
            _ = try exchange.contentAtOnce()
            return nil
        } catch {
            return error
        }
    }

    @Test("The sender waits while as much is unread as may be, and goes on once it is read")
    func pausing() async throws {
        let exchange = exchange(limits: .init(unread: 10))
        #expect(exchange.receive(piece: Self.bytes(9)))
        #expect(!exchange.receive(piece: Self.bytes(1)))
        #expect(sender.calls == [])
        #expect(try await exchange.piece() == Self.bytes(10))
        #expect(sender.calls == ["resume"])
        #expect(exchange.receive(piece: Self.bytes(9)))
        #expect(try await exchange.piece() == Self.bytes(9))
        #expect(sender.calls == ["resume"])
        end(exchange)
        #expect(try await exchange.piece() == nil)
    }

    @Test("Content may be as large as the limit", arguments: [10, 11])
    func tooLarge(count: Int) {
        let exchange = exchange(limits: .init(total: 10))
        #expect(exchange.receive(piece: Self.bytes(4)))
        #expect(exchange.receive(piece: Self.bytes(count - 4)) == (count <= 10))
        #expect(sender.calls == (count <= 10 ? [] : ["cancel"]))
        end(exchange)
        #expect(error(exchange)?.kind == (count <= 10 ? nil : .tooLarge))
        #expect(error(exchange)?.detail == (count <= 10 ? nil : "The content is larger than 10 bytes."))
    }

    @Test("Content that arrives with the end may be no larger either", arguments: [10, 11])
    func tooLargeRest(count: Int) {
        let exchange = exchange(limits: .init(total: 10))
        let end = Result<TransportEnd, TransportError>.success(TransportEnd())
        exchange.receive(rest: TransportRest(head: Self.ok, piece: Self.bytes(count), end: end))
        #expect(error(exchange)?.kind == (count <= 10 ? nil : .tooLarge))
    }

    @Test("Discarded content is received if it is short, so that its connection can be used again")
    func discarding() {
        let exchange = exchange(limits: .init(unread: 10, total: 20))
        #expect(!exchange.receive(piece: Self.bytes(10)))
        exchange.discard()
        #expect(sender.calls == ["resume"])
        #expect(exchange.remains().isEmpty)
        #expect(exchange.receive(piece: Self.bytes(100 << 10)))
        #expect(exchange.remains().isEmpty)
        #expect(!exchange.receive(piece: Self.bytes(1 << 20)))
        #expect(sender.calls == ["resume", "cancel"])
        #expect(error(exchange)?.detail == "The content is not needed.")
        exchange.discard()
        #expect(sender.calls == ["resume", "cancel"])
    }

    @Test("Discarded content is awaited for a second at most, whatever the time limit")
    func discardingSlowContent() {
        let exchange = exchange(timeout: .seconds(60))
        exchange.discard()
        clock.advance(by: .milliseconds(999))
        #expect(sender.calls == [])
        clock.advance(by: .milliseconds(1))
        #expect(sender.calls == ["cancel"])
        #expect(error(exchange)?.detail == "The content is not needed.")
    }

    @Test(
        "An exchange of which nothing arrives in time fails, however it is split",
        arguments: ["head", "interim", "piece"]
    )
    func idle(arrival: String) {
        let exchange = exchange(timeout: .seconds(60))
        clock.advance(by: .seconds(50))
        switch arrival {
        case "head": exchange.receive(head: Self.ok)
        case "interim": exchange.receive(interim: HTTPResponse(status: .init(code: 103)))
        default: _ = exchange.receive(piece: [1])
        }
        #expect(exchange.lastArrival == .seconds(50))
        clock.advance(by: .milliseconds(59_999))
        #expect(sender.calls == [])
        clock.advance(by: .milliseconds(1))
        #expect(sender.calls == ["cancel"])
        #expect(error(exchange)?.kind == .timedOut)
        #expect(error(exchange)?.detail == "Nothing arrived for 60 s.")
        #expect(clock.nextDeadline == nil)
    }

    @Test("A sender that has to wait is not late")
    func paused() async throws {
        let exchange = exchange(timeout: .seconds(60), limits: .init(unread: 1))
        #expect(!exchange.receive(piece: [1]))
        clock.advance(by: .seconds(600))
        #expect(sender.calls == [])
        #expect(try await exchange.piece() == [1])
        clock.advance(by: .seconds(59))
        #expect(sender.calls == ["resume"])
        clock.advance(by: .seconds(1))
        #expect(sender.calls == ["resume", "cancel"])
    }

    @Test("An exchange fails at its deadline, whatever arrives", arguments: [60, nil])
    func deadline(timeout: Int?) {
        let exchange = exchange(timeout: timeout.map { .seconds($0) }, deadline: .seconds(100))
        for _ in 0..<4 {
            clock.advance(by: .seconds(24))
            exchange.receive(interim: HTTPResponse(status: .init(code: 103)))
        }
        #expect(sender.calls == [])
        clock.advance(by: .seconds(4))
        #expect(error(exchange)?.detail == "The request took longer than its total timeout.")
        #expect(clock.nextDeadline == nil)
    }

    @Test("An exchange without a limit of time has no timer, and one that has ended leaves none")
    func noTimer() {
        let unlimited = exchange()
        #expect(clock.nextDeadline == nil)
        end(unlimited)
        let limited = exchange(timeout: .seconds(60))
        #expect(clock.nextDeadline == .seconds(60))
        end(limited)
        #expect(clock.nextDeadline == nil)
    }

    @Test("An exchange that is over at once has no timer")
    func overAtOnce() {
        let exchange = Exchange(clock: clock, timeout: .seconds(60), at: .zero)
        #expect(exchange.begin(Self.request, over: Sender(endsAtOnce: true), at: .zero))
        #expect(clock.nextDeadline == nil)
    }

    @Test("An exchange that was cancelled before it began is cancelled when it begins")
    func cancelledBefore() {
        let exchange = Exchange(clock: clock, timeout: nil, at: .zero)
        exchange.cancel(.overdue)
        _ = exchange.begin(Self.request, over: sender, at: .zero)
        #expect(sender.calls == ["cancel"])
        #expect(error(exchange)?.kind == .timedOut)
    }

    @Test("The first reason for which an exchange was cancelled is its error, unless it ended before")
    func reasons() {
        let sender = Sender()
        let exchange = Exchange(clock: clock, timeout: nil, at: .zero)
        _ = exchange.begin(Self.request, over: sender, at: .zero)
        exchange.cancel(.overdue)
        exchange.cancel(.requestCancelled)
        #expect(error(exchange)?.kind == .timedOut)
        let ended = self.exchange()
        end(ended)
        ended.cancel(.overdue)
        #expect(error(ended) == nil)
    }

    @Test("Without a head there is an error: that of the transport, or else that there is no response")
    func noHead() {
        let ended = exchange()
        end(ended)
        let error = #expect(throws: TransportError.self) { try ended.head() }
        #expect(error?.kind == .badResponse)
        #expect(error?.detail == "The exchange ended without a response.")
        let failed = exchange()
        failed.receive(end: .failure(TransportError(.connectionLost, "It broke.")))
        #expect(#expect(throws: TransportError.self) { try failed.head() }?.detail == "It broke.")
    }

    @Test("The head has the time of its arrival, and content is complete at the end")
    func content() async throws {
        let exchange = exchange()
        clock.advance(by: .seconds(2))
        exchange.receive(head: Self.ok)
        clock.advance(by: .seconds(3))
        let (head, received) = try exchange.head()
        #expect(head.status == .ok)
        #expect(received.secondsSinceEpoch == Int64(startOfTime) + 2)
        #expect(exchange.receive(piece: [1, 2]))
        #expect(exchange.receive(piece: [3]))
        #expect(try exchange.contentAtOnce() == nil)
        end(exchange, isChecked: false)
        #expect(try exchange.contentAtOnce() == [1, 2, 3])
        #expect(try await exchange.content() == [1, 2, 3])
        var metrics = TransactionMetrics(url: "", startedAt: .zero)
        #expect(!exchange.add(to: &metrics))
        #expect(exchange.remains() == [1, 2, 3])
        #expect(exchange.remains() == [])
    }

    @Test("The metrics are what is known so far")
    func metrics() {
        let exchange = exchange()
        var metrics = TransactionMetrics(url: "", startedAt: .zero)
        #expect(!exchange.add(to: &metrics))
        #expect(
            metrics.status == nil && metrics.headAt == nil && metrics.attempts == 0 && metrics.version == nil
        )
        exchange.receive(start: TransportStart(version: .http10, attempts: 2))
        clock.advance(by: .seconds(2))
        exchange.receive(head: HTTPResponse(status: .notFound))
        _ = exchange.receive(piece: [1, 2])
        #expect(!exchange.add(to: &metrics))
        #expect(metrics.status == 404 && metrics.headAt == .seconds(2))
        #expect(metrics.attempts == 2 && metrics.version == .http10)
        #expect(metrics.contentSize == .bytes(2) && metrics.isReusedConnection == nil)
        var end = TransportEnd()
        (end.isLengthChecked, end.bytesSent, end.headBytes, end.attempts) = (true, 10, 20, 2)
        end.isReusedConnection = true
        exchange.receive(end: .success(end))
        #expect(exchange.add(to: &metrics))
        #expect(metrics.sentSize == .bytes(10) && metrics.headSize == .bytes(20))
        #expect(metrics.isReusedConnection == true && metrics.attempts == 2)
    }

    @Test("A whole exchange is one that has ended with content of the announced length")
    func whole() throws {
        let exchange = exchange()
        exchange.receive(head: Self.ok)
        #expect(exchange.whole() == nil)
        #expect(exchange.takeWhole { _, _ in true } == nil)
        clock.advance(by: .seconds(1))
        _ = exchange.receive(piece: [1])
        end(exchange)
        #expect(exchange.takeWhole { _, _ in false } == nil)
        #expect(exchange.whole()?.content == [1])
        let taken = try #require(exchange.takeWhole { $0.status == .ok && $1 == 200 })
        #expect(taken.content == [1] && taken.status == 200 && taken.end.isLengthChecked)
        #expect(taken.headAt == .zero && taken.endedAt == .seconds(1))
        #expect(exchange.takeWhole { _, _ in true } == nil)
        let unchecked = self.exchange()
        unchecked.receive(head: Self.ok)
        end(unchecked, isChecked: false)
        #expect(unchecked.whole() == nil)
        #expect(unchecked.takeWhole { _, _ in true } == nil)
    }

    @Test("A cancelled task that waits ends the exchange", arguments: ["head", "piece", "content"])
    func cancelledTask(wait: String) async {
        let exchange = exchange()
        let task = Task { () -> TransportError.Kind? in
            do throws(TransportError) {
                switch wait {
                case "head":
                    await exchange.waitForHead()
                    _ = try exchange.head()
                case "piece": _ = try await exchange.piece()
                default: _ = try await exchange.content()
                }
                return nil
            } catch {
                return error.kind
            }
        }
        task.cancel()
        #expect(await task.value == .cancelled)
        #expect(sender.calls == ["cancel"])
    }
}
