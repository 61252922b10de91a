import HTTPServing
import MockOrigin
import OriginScript

/// Passes on requests.
extension ProxyConnection {
    /// Reads requests and passes them on until nothing of a next one has come, the client ends, or the connection does.
    func passRequests() async -> Progress {
        var input = InputBuffer(client)
        while !isTunnel {
            guard let next = await input.nextHead() else { return .idle }
            switch next {
            case .over:
                await passRest(&input)
                return .over
            case .unknown: becomeTunnel()
            case .head(let raw, let range):
                guard let request = ProxiedRequestHead(raw) else {
                    becomeTunnel()
                    continue
                }
                if let server = context.intercepted(request), intercepted == nil {
                    input.position = range.upperBound
                    guard await intercept(request, to: server, &input) else { return .over }
                    continue
                }
                let received = ReceivedRequest(head: request, place: range, number: countRequest())
                guard await pass(received, &input) else { return .over }
            }
        }
        await tunnel(&input)
        return .over
    }

    /// Passes on one request; returns false if nothing more is to be read.
    private func pass(_ request: ReceivedRequest, _ input: inout InputBuffer) async -> Bool {
        let exchange = context.exchange(request.head, connection: number, request.number, in: intercepted)
        note(latest: exchange)
        if let answer = context.localAnswer(to: exchange) {
            input.position = request.place.upperBound
            guard await toClient.awaitRequest(of: request.place.count, request.opening) else { return false }
            return await send(answer, for: exchange, &input)
        }
        do throws(RequestDestination.Problem) {
            return await pass(request, exchange, to: try destination(of: request.head), &input)
        } catch {
            await refuse(exchange, UpstreamFailure(status: 400, cause: error.text))
            return false
        }
    }

    private func pass(
        _ request: ReceivedRequest,
        _ exchange: ProxiedExchange,
        to destination: RequestDestination,
        _ input: inout InputBuffer
    ) async -> Bool {
        if destination.isTunnel {
            input.position = request.place.upperBound
            return await beginTunnel(exchange, to: destination.server)
        }
        guard let upstream = await connected(exchange, to: destination.server) else { return false }
        await roomForRequest()
        began(exchange)
        var track = begin(request, exchange, to: destination, &input)
        let isPassed = await passContent(of: exchange, &track, to: upstream, request.opening, &input)
        guard isPassed else { return false }
        return request.head.mayBecomeTunnel ? await allCompleted() || isTunnel : true
    }

    /// Returns the track of a request, which has its head as the upstream gets it.
    private func begin(
        _ request: ReceivedRequest,
        _ exchange: ProxiedExchange,
        to destination: RequestDestination,
        _ input: inout InputBuffer
    ) -> FaultTrack {
        let first = request.number == 1 ? faults.filter { $0.event == .requestHead } : []
        var track = FaultTrack(first + exchange.requestFaults, keepsContent: exchange.contents != nil)
        let forwarded = context.forwarded(
            exchange.request,
            as: destination.target,
            to: destination.server,
            from: peer
        )
        let isChanged = forwarded != request.head.raw.bytes
        let head = isChanged ? input.replace(request.place, with: forwarded) : request.place
        track.enter(.requestHead, total: head.count)
        track.take(head, of: input.bytes)
        input.position = head.upperBound
        return track
    }

    private func passContent(
        of exchange: ProxiedExchange,
        _ track: inout FaultTrack,
        to upstream: DirectionWriter,
        _ opening: NetworkProfile.Opening,
        _ input: inout InputBuffer
    ) async -> Bool {
        var scanner = ContentScanner(exchange.request.framing)
        var opening = opening
        track.enter(.requestBody, total: scanner.total)
        while true {
            scanner.scan(&input, &track, content: .requestBody) { exchange.capture?.take(request: $0) }
            if scanner.isComplete { track.finish() }
            context.passed(exchange, request: &track)
            let outcome = await upstream.perform(track.takeSteps(), opening, label: exchange.label)
            // A lost upstream may have answered before: the responses' task ends the client's connection.
            guard outcome == .done else {
                if case .ended(let end) = outcome { await finish(end, of: exchange) }
                return false
            }
            if scanner.isComplete { return true }
            opening = .nothing
            guard await !input.more() else { continue }
            if input.isReset {
                note(end: "client gone")
                upstream.stream.reset()
            }
            return false
        }
    }

    private func finish(_ end: ConnectionEnd, of exchange: ProxiedExchange) async {
        context.ended(exchange, end.rawValue)
        await finish(end)
    }

    /// Ends the connection where steps have come to that.
    func shouldContinue(_ outcome: DirectionWriter.Outcome) async -> Bool {
        switch outcome {
        case .done: return true
        case .ended(let end):
            await finish(end)
            return false
        case .lost:
            note(end: outcome.end)
            // The other side sees the same close or reset as without a proxy.
            await finish(.reset)
            return false
        }
    }

    // MARK: The upstream

    /// Returns the connection to a server, which the first request to it opens; `nil` if that failed and the client has
    /// the error.
    private func connected(_ exchange: ProxiedExchange?, to server: Upstream) async -> DirectionWriter? {
        if let known = writer(to: server) { return known }
        guard await isFree(), let writer = await open(exchange, to: server) else { return nil }
        start(.responses(from: writer.stream))
        return writer
    }

    /// Connects to a server; returns `nil` if that failed and the client has the error.
    func open(_ exchange: ProxiedExchange?, to server: Upstream) async -> DirectionWriter? {
        do throws(UpstreamFailure) {
            let upstream = try await context.connector(to: server).connect(on: client.loop)
            let writer = DirectionWriter(upstream, .up, name: name, context.injector, gone: gone)
            use(writer, to: server)
            return writer
        } catch {
            await refuse(exchange, error)
            return nil
        }
    }

    /// Returns the connection for bytes that are no request; `nil` if there is none, and the client was disconnected.
    private func connectedForBytes() async -> DirectionWriter? {
        if let toUpstream { return toUpstream }
        guard let server = context.configuration.upstream else {
            await finish(.close)
            return nil
        }
        return await connected(nil, to: server)
    }

    private func refuse(_ exchange: ProxiedExchange?, _ failure: UpstreamFailure) async {
        guard let exchange else { return await finish(.close) }
        let response = LocalResponse(status: failure.status, text: "cachecheck proxy: \(failure.cause)\n")
        _ = await toClient.write(response.bytes(for: exchange.request, closes: true)[...])
        context.failed(exchange, failure)
        exchange.capture?.end(failure.cause)
        await linger()
    }

    /// Finishes writing and waits for the client to disconnect: closing with unread bytes would reset the connection and
    /// destroy the response.
    func linger() async {
        await toClient.finish()
        await waitForHangUp(most: .seconds(2))
    }

    // MARK: Responses without the upstream

    private func send(_ answer: LocalAnswer, for exchange: ProxiedExchange, _ input: inout InputBuffer) async
        -> Bool
    {
        if upstream != nil, await !allCompleted() { return false }
        let waits = exchange.request.waitsForResponse
        if !waits, await !discardContent(of: exchange, &input) { return false }
        context.progressed(exchange, status: answer.status, head: answer.head[...], answer.marks)
        exchange.contents?.use(response: answer.content(for: exchange.request.method))
        let outcome = await toClient.perform(answer.steps, .message, label: exchange.label)
        context.ended(exchange, outcome.end)
        guard await shouldContinue(outcome) else { return false }
        note(latest: nil)
        if answer.closes { await linger() }
        return !answer.closes
    }

    private func discardContent(of exchange: ProxiedExchange, _ input: inout InputBuffer) async -> Bool {
        var scanner = ContentScanner(exchange.request.framing)
        while true {
            scanner.skip(&input) { exchange.contents?.add(request: $0) }
            if scanner.isComplete { return true }
            if await !input.more() { return false }
        }
    }

    // MARK: Bytes that are not understood

    /// Passes on the beginning of an incomplete head.
    private func passRest(_ input: inout InputBuffer) async {
        if !input.rest.isEmpty, let upstream = await connectedForBytes() {
            _ = await upstream.write(input.rest)
        }
        // A recording needs whole responses, also of a client that has gone.
        if isRecording { _ = await allCompleted() }
        await toUpstream?.finish()
        guard input.isReset else { return }
        note(end: "client gone")
        upstream?.reset()
    }

    /// Passes on all bytes of the client unchanged, and connects to the upstream for that.
    func passBytes() async {
        var input = InputBuffer(client)
        becomeTunnel()
        await tunnel(&input)
    }

    private func tunnel(_ input: inout InputBuffer) async {
        guard let upstream = await connectedForBytes() else { return }
        guard await relay(&input, to: upstream, .requestBody, end: nil) else { return }
        await passRest(&input)
    }

    /// Passes on bytes until they end; false if a fault has ended the connection.
    func relay(
        _ input: inout InputBuffer,
        to writer: DirectionWriter,
        _ event: FaultEvent,
        end: FaultEvent?
    ) async -> Bool {
        var track = FaultTrack(byteFaults(at: [event] + (end.map { [$0] } ?? [])))
        track.enter(event)
        while true {
            track.take(input.position..<input.bytes.count, of: input.bytes)
            input.position = input.bytes.count
            guard await perform(&track, on: writer) else { return false }
            if await !input.more() { break }
        }
        track.finish()
        return await perform(&track, on: writer)
    }

    private func byteFaults(at events: [FaultEvent]) -> [Fault] {
        guard let exchange = tunnelExchange else { return context.byteFaults(number, at: events) }
        return (exchange.requestFaults + exchange.faults(of: nil)).filter { events.contains($0.event) }
    }

    private func perform(_ track: inout FaultTrack, on writer: DirectionWriter) async -> Bool {
        let marks = track.takeMarks()
        let outcome = await writer.perform(track.takeSteps())
        if let exchange = tunnelExchange {
            context.injected(exchange, marks)
            if case .ended(let end) = outcome { context.ended(exchange, end.rawValue) }
        } else if !marks.isEmpty {
            context.connectionFaulted(number, marks, outcome.end)
        }
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

    var opening: NetworkProfile.Opening { number == 1 ? .connection : .message }
}
