import HTTPServing
import OriginScript

/// Passes on requests.
extension ProxyConnection {
    /// Reads requests and passes them on until the client ends, or the connection does; `first` are the faults of the
    /// first request's head.
    func passRequests(first: [Fault], _ group: inout TaskGroup<Void>) async {
        var input = InputBuffer(client)
        var (count, first) = (0, first)
        while true {
            switch await input.head() {
            case .over: return await passRest(&input, &group)
            case .unknown: return await tunnel(&input, &group)
            case .head(let raw, let range):
                guard let request = ProxiedRequestHead(raw) else { return await tunnel(&input, &group) }
                count += 1
                let received = ReceivedRequest(head: request, place: range, number: count)
                guard await pass(received, first, &input, &group) else { return }
                first = []
            }
            if isTunnel { return await tunnel(&input, &group) }
        }
    }

    /// Passes on one request; returns false if nothing more is to be read.
    private func pass(
        _ request: ReceivedRequest,
        _ first: [Fault],
        _ input: inout InputBuffer,
        _ group: inout TaskGroup<Void>
    ) async -> Bool {
        let exchange = context.exchange(request.head, connection: number, request.number)
        let opening: NetworkLine.Opening = request.number == 1 ? .connection : .message
        if let answer = context.localAnswer(to: exchange) {
            input.position = request.place.upperBound
            guard await toClient.awaitRequest(of: request.place.count, opening) else { return false }
            return await send(answer, for: exchange, &input)
        }
        guard let upstream = await connected(exchange, &group) else { return false }
        began(exchange)
        var track = FaultTrack(first + exchange.requestFaults)
        let head = input.replace(request.place, with: context.forwarded(exchange.request, from: peer))
        track.enter(.requestHead, total: head.count)
        track.take(head, of: input.bytes)
        input.position = head.upperBound
        let isPassed = await passContent(of: exchange, &track, to: upstream, opening, &input)
        guard isPassed else { return false }
        return request.head.mayBecomeTunnel ? await allCompleted() || isTunnel : true
    }

    private func passContent(
        of exchange: ProxiedExchange,
        _ track: inout FaultTrack,
        to upstream: Outlet,
        _ opening: NetworkLine.Opening,
        _ input: inout InputBuffer
    ) async -> Bool {
        var scanner = ContentScanner(exchange.request.framing)
        var opening = opening
        track.enter(.requestBody, total: scanner.total)
        while true {
            scan(&input, &scanner, &track, content: .requestBody) { exchange.capture?.take(request: $0) }
            if scanner.isComplete { track.finish() }
            context.injected(exchange, track.takeMarks())
            let outcome = await upstream.perform(
                track.takeEffects(),
                of: input.bytes,
                opening,
                label: exchange.label
            )
            if case .ended(let end) = outcome {
                context.ended(exchange, end.rawValue)
                await finish(end)
            }
            // A lost upstream may have answered before: the responses' task ends the client's connection.
            guard outcome == .done else { return false }
            if scanner.isComplete { return true }
            opening = .nothing
            guard await !input.more() else { continue }
            if input.isReset { upstream.stream.reset() }
            return false
        }
    }

    /// Scans the input as far as its parts are known.
    func scan(
        _ input: inout InputBuffer,
        _ scanner: inout ContentScanner,
        _ track: inout FaultTrack,
        content event: FaultEvent,
        _ capture: (ArraySlice<UInt8>) -> Void
    ) {
        while let (part, count) = scanner.next(input.rest) {
            let range = input.position..<input.position + count
            input.position += count
            switch part {
            case .content:
                track.take(range, of: input.bytes)
                capture(input.bytes[range])
            case .framing: track.frame(range)
            case .end where event == .body:
                track.enterOnce(.end)
                track.take(range, of: input.bytes)
            case .end: track.frame(range)
            }
        }
    }

    /// Ends the connection where effects have come to that.
    func goesOn(_ outcome: Outlet.Outcome) async -> Bool {
        switch outcome {
        case .done: return true
        case .ended(let end):
            await finish(end)
            return false
        case .lost:
            // The other side learns of it as it would without a proxy.
            await finish(.reset)
            return false
        }
    }

    // MARK: The upstream

    /// Returns the connection to the upstream, which the first request opens; `nil` if that failed and the client has the error.
    private func connected(_ exchange: ProxiedExchange?, _ group: inout TaskGroup<Void>) async -> Outlet? {
        if let toUpstream { return toUpstream }
        do throws(ConnectFailure) {
            let upstream = try await context.connector.connect(on: client.loop)
            let outlet = Outlet(upstream, .up, name: "connection#\(number)", context.injector, gone: gone)
            use(outlet)
            group.addTask { await self.passResponses(from: upstream) }
            return outlet
        } catch {
            await refuse(exchange, error)
            return nil
        }
    }

    private func refuse(_ exchange: ProxiedExchange?, _ failure: ConnectFailure) async {
        let cause = "cannot connect to \(context.connector.upstream): \(failure)"
        guard let exchange else { return await finish(.close) }
        let response = LocalResponse(status: 502, text: "cachecheck proxy: \(cause)\n")
        _ = await toClient.write(response.bytes(for: exchange.request, closes: true)[...])
        context.failed(exchange, status: 502, cause: cause)
        exchange.capture?.end(cause)
        await linger()
    }

    /// Closing with unread bytes would reset the connection and destroy the response.
    private func linger() async {
        await toClient.finish()
        await waitForHangUp(most: .seconds(2))
    }

    // MARK: Responses without the upstream

    private func send(_ answer: LocalAnswer, for exchange: ProxiedExchange, _ input: inout InputBuffer) async
        -> Bool
    {
        if upstream != nil, await !allCompleted() { return false }
        let waits = exchange.request.waitsForResponse
        if !waits, await !discardContent(of: exchange.request, &input) { return false }
        context.progressed(exchange, status: answer.status, answer.marks)
        let outcome = await toClient.perform(
            answer.effects,
            of: answer.bytes,
            .message,
            label: exchange.label
        )
        context.ended(exchange, outcome.end)
        guard await goesOn(outcome) else { return false }
        if answer.closes { await linger() }
        return !answer.closes
    }

    /// Scans content that is not passed on.
    func skip(
        _ input: inout InputBuffer,
        _ scanner: inout ContentScanner,
        _ capture: (ArraySlice<UInt8>) -> Void = { _ in }
    ) {
        while let (part, count) = scanner.next(input.rest) {
            if part == .content { capture(input.rest.prefix(count)) }
            input.position += count
        }
    }

    private func discardContent(of request: ProxiedRequestHead, _ input: inout InputBuffer) async -> Bool {
        var scanner = ContentScanner(request.framing)
        while true {
            skip(&input, &scanner)
            if scanner.isComplete { return true }
            if await !input.more() { return false }
        }
    }

    // MARK: Bytes that are not understood

    /// Passes on the beginning of a head that did not come to its end.
    private func passRest(_ input: inout InputBuffer, _ group: inout TaskGroup<Void>) async {
        if !input.rest.isEmpty, let upstream = await connected(nil, &group) {
            _ = await upstream.write(input.rest)
        }
        // A recording needs whole responses, also of a client that has gone.
        if exchange?.capture != nil { _ = await allCompleted() }
        await toUpstream?.finish()
        if input.isReset { upstream?.reset() }
    }

    /// Passes on all bytes of the client unchanged, and connects to the upstream for that.
    func passBytes(_ group: inout TaskGroup<Void>) async {
        var input = InputBuffer(client)
        await tunnel(&input, &group)
    }

    private func tunnel(_ input: inout InputBuffer, _ group: inout TaskGroup<Void>) async {
        becomeTunnel()
        guard let upstream = await connected(nil, &group) else { return }
        guard await relay(&input, to: upstream, .requestBody, end: nil) else { return }
        await passRest(&input, &group)
    }

    /// Passes on bytes until they end; false where a fault has ended the connection.
    func relay(
        _ input: inout InputBuffer,
        to outlet: Outlet,
        _ event: FaultEvent,
        end: FaultEvent?
    ) async -> Bool {
        var track = FaultTrack(context.byteFaults(number, at: [event] + (end.map { [$0] } ?? [])))
        track.enter(event)
        while true {
            track.take(input.position..<input.bytes.count, of: input.bytes)
            input.position = input.bytes.count
            guard await perform(&track, of: input.bytes, on: outlet) else { return false }
            if await !input.more() { break }
        }
        track.finish()
        return await perform(&track, of: [], on: outlet)
    }

    private func perform(_ track: inout FaultTrack, of bytes: [UInt8], on outlet: Outlet) async -> Bool {
        let marks = track.takeMarks()
        let outcome = await outlet.perform(track.takeEffects(), of: bytes)
        if !marks.isEmpty { context.connectionFaulted(number, marks, outcome.end) }
        if case .ended(let end) = outcome { await finish(end) }
        return outcome == .done
    }
}

/// A request whose head has been read.
private struct ReceivedRequest {
    let head: ProxiedRequestHead
    /// The place of the head in the input.
    let place: Range<Int>
    /// Its number on the connection, from 1.
    let number: Int
}
