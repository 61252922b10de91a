import Clocks
import Locks
import HTTPServing
import OriginScript

/// Answers the requests of a namespace.
extension OriginNamespace {
    struct Accepted {
        let number: Int
        /// The request's name in logs.
        let name: String
        let reply: ComposedReply
    }

    /// Returns the greeting of a connection, before its first request.
    func greeting(isTLS: Bool) -> Greeting {
        injector.greeting(isTLS: isTLS) { GreetingObserver(namespace: self, number: -$0) }
    }

    /// Returns how the content of a request is read; `nil` for without faults or throttling.
    func reading(of request: ServedRequest) -> RequestReading? {
        let path = RoutedRequest(request, base: base).path
        let observer = PauseObserver(namespace: self)
        return injector.reading(
            of: request,
            path: path,
            name: "\(request.method) \(path)",
            observer: observer
        )
    }

    /// Returns the reply to a request that was received on a socket.
    func reply(to request: ServedRequest) -> RawReply {
        let accepted = accept(request)
        var reply = RawReply(
            accepted.reply.rendered(),
            ending: accepted.reply.ending,
            clock: clock,
            observer: NamespaceObserver(namespace: self, number: accepted.number)
        )
        let isLogged = state.withLock { state in
            state.wire?.add(accepted.number, name: accepted.name, request, reply.ending) != nil
        }
        if isLogged {
            reply.onWritten = { bytes in self.state.withLock { $0.wire?.write(accepted.number, bytes) } }
        }
        return injector.shaped(reply, to: request, name: accepted.name)
    }

    /// Records a request and returns its reply.
    func accept(_ request: ServedRequest) -> Accepted {
        let routed = RoutedRequest(request, base: base)
        if let suite { return accept(routed, suite) }
        let wallSeconds = clock.wallSeconds
        let elapsed = elapsed.inSeconds
        let stall = Hold()
        // Compared outside the lock, because the content may be large.
        let places = index.places(for: routed)
        let (number, found, met) = state.withLock { state in
            let found = state.script.next(routed, among: places, elapsedSeconds: elapsed)
            let met = injector.faults(of: meeting(routed, found, isLogged: state.wire != nil), stall)
            let number = state.record.add(routed, route: found?.route.label, at: wallSeconds)
            return (number, found, met)
        }
        let context = AnswerContext(
            request: request,
            now: HTTPMoment(wallSeconds: wallSeconds),
            startedAt: startedAt,
            base: base,
            other: other(),
            count: found?.count ?? 1,
            elapsedSeconds: elapsed,
            parameters: found?.route.parameters(of: routed) ?? [:]
        )
        let answer = Self.answer(found, routed)
        let reply = ComposedReply.compose(answer, context, contents, stall: stall, faults: met.faults)
        note(reply, of: number)
        return Accepted(number: number, name: met.name, reply: reply)
    }

    private func meeting(
        _ routed: RoutedRequest,
        _ found: Script.Selection?,
        isLogged: Bool
    ) -> FaultInjector.Target {
        let label = found?.route.label ?? ""
        return FaultInjector.Target(
            request: routed.request,
            path: routed.path,
            label: label,
            number: found?.count ?? 1,
            answer: Self.answer(found, routed),
            commonName: label,
            // A name is a digest of the whole request, which most scenarios do not need.
            isNamed: drawsByName || isLogged
        )
    }

    private static func answer(_ found: Script.Selection?, _ routed: RoutedRequest) -> Answer {
        found?.answer ?? .plain(status: 404, "The script has no route for \(routed.path).")
    }

    private func accept(_ routed: RoutedRequest, _ suite: SuiteScript) -> Accepted {
        let wallSeconds = clock.wallSeconds
        let number = state.withLock { $0.record.add(routed, route: nil, at: wallSeconds) }
        let reply = suite.reply(to: routed.request)
        note(reply, of: number)
        return Accepted(number: number, name: "", reply: reply)
    }

    private func note(_ reply: ComposedReply, of number: Int) {
        guard let status = reply.finalStatus else { return }
        state.withLock { $0.record.answered(number, status: status, reply.head.fields) }
    }
}
