import HTTPServing
import OriginScript

/// Passes on responses.
extension ProxyConnection {
    /// Reads responses and passes them on until nothing of a next one has come, the upstream ends, or the connection does.
    func passResponses(from upstream: DuplexStream) async -> Progress {
        var input = InputBuffer(upstream)
        guard await passAll(&input) == .over else { return .idle }
        if isCurrent(upstream) { upstreamIsOver() }
        return .over
    }

    private func passAll(_ input: inout InputBuffer) async -> Progress {
        // One that was left for another has nothing more to say.
        while isCurrent(input.stream) {
            guard let next = isTunnel ? .unknown : await input.nextHead() else { return .idle }
            switch next {
            case .over where !isCurrent(input.stream): return .over
            case .over:
                await passEnd(&input)
                return .over
            case .unknown:
                await tunnel(&input)
                return .over
            case .head(let raw, let range):
                guard !isTunnel, let head = ResponseHead(raw), let exchange else {
                    await tunnel(&input)
                    return .over
                }
                exchange.capture?.take(head)
                if head.isInterim {
                    guard await toClient.write(input.bytes[range], .message) else {
                        await passEnd(&input)
                        return .over
                    }
                    input.position = range.upperBound
                } else if await !pass(head, range, exchange, &input) {
                    return .over
                }
            }
        }
        return .over
    }

    /// Passes on a final response; returns false if nothing more is to be read.
    private func pass(
        _ head: ResponseHead,
        _ range: Range<Int>,
        _ exchange: ProxiedExchange,
        _ input: inout InputBuffer
    ) async -> Bool {
        let change = context.change(head, exchange)
        let framing = head.framing(for: exchange.request.method)
        var track = FaultTrack(change.faults, keepsContent: exchange.contents != nil)
        let place = change.head.map { input.replace(range, with: $0) } ?? range
        track.enter(.beforeHead)
        track.enter(.head, total: place.count)
        track.take(place, of: input.bytes)
        let isHeadSent = !track.isOver || track.offset == place.count
        input.position = place.upperBound
        let isTunnel = head.begins(tunnelFor: exchange.request.method)
        if isTunnel {
            becomeTunnel()
            exchange.capture?.end("it opens a tunnel")
        }
        var scanner = ContentScanner(isTunnel ? .none : framing)
        let content = exchange.request.method == "HEAD" || isTunnel ? nil : change.content
        track.enter(.body, total: content?.count ?? scanner.total)
        if let content { track.take(made: content) }
        context.progressed(
            exchange,
            status: isHeadSent ? change.status : nil,
            head: isHeadSent ? Array(input.bytes[place]) : [],
            track.takeMarks(),
            of: head.status
        )
        let isPassed = await passContent(of: exchange, &scanner, &track, isReplaced: content != nil, &input)
        guard isPassed else { return false }
        completed()
        if scanner.endsWithConnection {
            await passEnd(&input)
            return false
        }
        return true
    }

    private func passContent(
        of exchange: ProxiedExchange,
        _ scanner: inout ContentScanner,
        _ track: inout FaultTrack,
        isReplaced: Bool,
        _ input: inout InputBuffer
    ) async -> Bool {
        var opening = NetworkProfile.Opening.message
        while true {
            let capture = { (bytes: ArraySlice<UInt8>) in exchange.capture?.take(response: bytes) ?? () }
            if isReplaced {
                scanner.skip(&input, capture)
            } else {
                scanner.scan(&input, &track, content: .body, capture)
            }
            if scanner.isComplete { track.finish() }
            context.passed(exchange, response: &track)
            let outcome = await toClient.perform(
                track.takeEffects(),
                of: input.bytes,
                opening,
                label: exchange.label
            )
            guard outcome == .done, !scanner.isComplete else {
                await completeRecording(of: exchange, outcome, &input, &scanner)
                return await end(outcome, of: exchange)
            }
            opening = .nothing
            if await input.more() { continue }
            guard scanner.endsWithConnection, !input.isReset else {
                let end = input.isReset ? "upstream reset" : "upstream ended"
                context.ended(exchange, end)
                exchange.capture?.end("the \(end) before the end of the response")
                await passEnd(&input)
                return false
            }
            exchange.capture?.end()
            track.finish()
            context.passed(exchange, response: &track)
            return await end(await toClient.perform(track.takeEffects(), of: []), of: exchange)
        }
    }

    /// Completes the recording of a response that has been passed on, or that a fault or the client has cut off.
    private func completeRecording(
        of exchange: ProxiedExchange,
        _ outcome: Outlet.Outcome,
        _ input: inout InputBuffer,
        _ scanner: inout ContentScanner
    ) async {
        guard let capture = exchange.capture else { return }
        if !scanner.isComplete { await endClient(outcome) }
        while !scanner.isComplete {
            scanner.skip(&input) { capture.take(response: $0) }
            guard !scanner.isComplete else { break }
            guard await !input.more() else { continue }
            let isWhole = scanner.endsWithConnection && !input.isReset
            return capture.end(isWhole ? nil : "the upstream ended before the end of the response")
        }
        capture.end()
    }

    private func end(_ outcome: Outlet.Outcome, of exchange: ProxiedExchange) async -> Bool {
        context.ended(exchange, outcome.end)
        return await goesOn(outcome)
    }

    /// Ends the client's connection as the upstream has ended its own.
    private func passEnd(_ input: inout InputBuffer) async {
        if !input.rest.isEmpty { _ = await toClient.write(input.rest) }
        if input.isReset { return await finish(.reset) }
        await toClient.finish()
        upstreamIsOver()
        await waitForHangUp(most: .seconds(2))
        client.interrupt()
    }

    /// Passes on all bytes of the upstream unchanged.
    private func tunnel(_ input: inout InputBuffer) async {
        guard await relay(&input, to: toClient, .body, end: .end) else { return }
        await passEnd(&input)
    }
}
