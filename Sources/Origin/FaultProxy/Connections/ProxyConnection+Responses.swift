import HTTPServing
import MockOrigin
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
        // An upstream that was replaced by another has nothing more to pass.
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
                let shouldContinue =
                    head.isInterim
                    ? await passInterim(range, &input) : await pass(head, range, exchange, &input)
                guard shouldContinue else { return .over }
            }
        }
        return .over
    }

    private func passInterim(_ head: Range<Int>, _ input: inout InputBuffer) async -> Bool {
        guard await toClient.write(input.bytes[head], .message) else {
            note(end: "client gone")
            await passEnd(&input)
            return false
        }
        input.position = head.upperBound
        return true
    }

    /// Passes on a final response; returns false if nothing more is to be read.
    private func pass(
        _ head: ResponseHead,
        _ range: Range<Int>,
        _ exchange: ProxiedExchange,
        _ input: inout InputBuffer
    ) async -> Bool {
        var response = begin(head, range, exchange, &input)
        guard await passContent(of: exchange, &response, &input) else { return false }
        completed()
        guard response.scanner.endsWithConnection else { return true }
        await passEnd(&input)
        return false
    }

    /// Begins to pass on a response: with its head, and with the content that a rule has in place of the upstream's.
    private func begin(
        _ head: ResponseHead,
        _ range: Range<Int>,
        _ exchange: ProxiedExchange,
        _ input: inout InputBuffer
    ) -> PassedResponse {
        let change = context.change(head, exchange)
        var track = FaultTrack(change.faults, keepsContent: exchange.contents != nil)
        let place = change.head.map { input.replace(range, with: $0) } ?? range
        track.enter(.beforeHead)
        track.enter(.head, total: place.count)
        track.take(place, of: input.bytes)
        let isSent = !track.isFinished || track.offset == place.count
        input.position = place.upperBound
        let method = exchange.request.method
        let tunnels = head.begins(tunnelFor: method)
        if tunnels {
            becomeTunnel()
            exchange.capture?.end("it opens a tunnel")
        }
        let scanner = ContentScanner(tunnels ? .none : head.framing(for: method))
        let content = method == "HEAD" || tunnels ? nil : change.content
        track.enter(.body, total: content?.count ?? scanner.total)
        if let content { track.take(content.indices, of: content) }
        let (status, sent) = isSent ? (change.status, input.bytes[place]) : (nil, [])
        context.progressed(exchange, status: status, head: sent, track.takeMarks(), of: head.status)
        return PassedResponse(scanner: scanner, track: track, isReplaced: content != nil)
    }

    private func passContent(
        of exchange: ProxiedExchange,
        _ response: inout PassedResponse,
        _ input: inout InputBuffer
    ) async -> Bool {
        var opening = NetworkProfile.Opening.message
        while true {
            response.scan(&input) { exchange.capture?.take(response: $0) }
            exchange.capture?.check(response.scanner)
            context.passed(exchange, response: &response.track)
            let outcome = await toClient.perform(
                response.track.takeSteps(),
                opening,
                label: exchange.label
            )
            guard outcome == .done, !response.scanner.isComplete else {
                await completeRecording(of: exchange, outcome, &input, &response.scanner)
                return await end(outcome, of: exchange)
            }
            opening = .nothing
            if await !input.more() { return await endContent(of: exchange, &response, &input) }
        }
    }

    /// Ends a response within whose content the upstream has ended its connection.
    private func endContent(
        of exchange: ProxiedExchange,
        _ response: inout PassedResponse,
        _ input: inout InputBuffer
    ) async -> Bool {
        guard response.scanner.endsWithConnection, !input.isReset else {
            let end = upstreamEnd(of: input)
            context.ended(exchange, end)
            exchange.capture?.end("the \(end) before the end of the response")
            await passEnd(&input)
            return false
        }
        exchange.capture?.end()
        response.track.finish()
        context.passed(exchange, response: &response.track)
        return await end(await toClient.perform(response.track.takeSteps()), of: exchange)
    }

    /// Completes the recording of a response that has been passed on, or that a fault or the client has cut off.
    private func completeRecording(
        of exchange: ProxiedExchange,
        _ outcome: DirectionWriter.Outcome,
        _ input: inout InputBuffer,
        _ scanner: inout ContentScanner
    ) async {
        guard let capture = exchange.capture else { return }
        if !scanner.isComplete { await endClient(outcome) }
        while !scanner.isComplete, !capture.isFinished {
            scanner.skip(&input) { capture.take(response: $0) }
            capture.check(scanner)
            guard !scanner.isComplete, !capture.isFinished else { break }
            guard await !input.more() else { continue }
            let isWhole = scanner.endsWithConnection && !input.isReset
            return capture.end(isWhole ? nil : "the upstream ended before the end of the response")
        }
        capture.end()
    }

    private func end(_ outcome: DirectionWriter.Outcome, of exchange: ProxiedExchange) async -> Bool {
        context.ended(exchange, outcome.end)
        return await shouldContinue(outcome)
    }

    /// Returns the reason for which the upstream's connection ended, as in the journal.
    private func upstreamEnd(of input: borrowing InputBuffer) -> String {
        // The proxy itself has ended it because of what is noted.
        end ?? (input.isReset ? "upstream reset" : "upstream ended")
    }

    /// Ends the client's connection as the upstream has ended its own.
    private func passEnd(_ input: inout InputBuffer) async {
        note(end: upstreamEnd(of: input))
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

/// A response whose head has been passed on.
private struct PassedResponse {
    var scanner: ContentScanner
    var track: FaultTrack
    /// Whether a rule has content in place of the upstream's.
    let isReplaced: Bool

    /// Passes what has been received to the track, or leaves it out.
    mutating func scan(_ input: inout InputBuffer, _ capture: (ArraySlice<UInt8>) -> Void) {
        if isReplaced {
            scanner.skip(&input, capture)
        } else {
            scanner.scan(&input, &track, content: .body, capture)
        }
        if scanner.isComplete { track.finish() }
    }
}
