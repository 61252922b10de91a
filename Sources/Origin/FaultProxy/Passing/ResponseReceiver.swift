import Clocks
import HTTPServing
import MockOrigin
import OriginScript

/// Sends a request to an upstream and makes the steps of the reply of its response.
struct ResponseReceiver: Sendable {
    let request: PassedRequest
    let head: ProxiedRequestHead
    let queue: ResponseQueue
    let firstTags: FirstTags
    let clock: any TimeSource

    /// Passes the request on and the response back.
    func receive(from stream: DuplexStream) async {
        defer { stream.close() }
        guard queue.use(stream) else { return }
        await withDiscardingTaskGroup { group in
            group.addTask {
                // An upstream may answer before it has read everything.
                guard await stream.write(head.raw.bytes[...]) else { return }
                _ = await stream.write(request.request.body[...])
            }
            await receiveResponse(InputBuffer(stream))
            stream.close()
        }
    }

    private func receiveResponse(_ input: consuming InputBuffer) async {
        while true {
            guard case .head(let raw, let range) = await input.head(), let response = ResponseHead(raw),
                response.status != 101
            else { return queue.fail(502, "the upstream did not send an HTTP/1 response") }
            guard response.isInterim else { return await pass(response, range, &input) }
            input.position = range.upperBound
            // The client already has a 100 (Continue).
            guard response.status != 100 else { continue }
            guard await queue.add([.write(raw.bytes[...])]) else { return }
        }
    }

    private func pass(_ response: ResponseHead, _ range: Range<Int>, _ input: inout InputBuffer) async {
        let raw = changed(response)
        let framing = response.framing(for: request.request.method)
        var track = FaultTrack(request.faults.filter { !$0.event.isBeforeAnswer }, stall: request.stall)
        let place = input.replace(range, with: raw.bytes)
        track.enter(.beforeHead)
        track.enter(.head, total: place.count)
        track.take(place, of: input.bytes)
        input.position = place.upperBound
        var scanner = ContentScanner(framing)
        let content =
            request.request.method == "HEAD"
            ? nil : request.passing.content(insteadOfThatWith: response.status)
        track.enter(.body, total: content?.count ?? scanner.total)
        if let content { track.take(content.indices, of: content) }
        if sendsHead {
            request.onHead(
                request.passing.status ?? response.status,
                raw.fields.map { ServedField($0.name, $0.value) }
            )
        }
        let ending = persists(raw, scanner) ? RawReply.Ending.keepAlive : .close
        await passContent(&scanner, &track, isReplaced: content != nil, ending, &input)
    }

    private func passContent(
        _ scanner: inout ContentScanner,
        _ track: inout FaultTrack,
        isReplaced: Bool,
        _ ending: RawReply.Ending,
        _ input: inout InputBuffer
    ) async {
        while true {
            if isReplaced { scanner.skip(&input) } else { scanner.scan(&input, &track, content: .body) }
            if scanner.isComplete { track.finish() }
            guard await perform(&track) else { return }
            if scanner.isComplete { return queue.finish(ending) }
            if await input.more() { continue }
            guard scanner.endsWithConnection, !input.isReset else {
                return queue.finish(input.isReset ? .reset : .cut)
            }
            track.finish()
            if await perform(&track) { queue.finish(.close) }
            return
        }
    }

    /// Queues the steps of the bytes that were received; false if nothing follows them.
    private func perform(_ track: inout FaultTrack) async -> Bool {
        guard await queue.add(track.takeSteps()) else { return false }
        guard !track.isFinished else {
            queue.finish(.close)
            return false
        }
        return true
    }

    private func changed(_ response: ResponseHead) -> HeadBytes {
        var raw = request.passing.changesMessage ? rewritten(response) : response.raw
        raw.misstateLength(request.faults)
        return raw
    }

    private func rewritten(_ response: ResponseHead) -> HeadBytes {
        let context = FieldContext(
            base: "",
            other: "",
            now: clock.timeSinceEpoch,
            start: .saturating(seconds: request.startedAt)
        )
        return PassedHead(passing: request.passing, context: context).changed(response) { tag in
            firstTags.first(of: request.request.target, tag)
        }
    }

    /// Whether no fault ends the connection before the head is complete.
    private var sendsHead: Bool {
        !request.faults.contains { fault in
            (fault.event == .beforeHead || fault.event == .head) && fault.action.connectionEnd != nil
        }
    }

    /// Whether the client's connection can be reused after the response (RFC 9112 §9.3).
    private func persists(_ head: HeadBytes, _ scanner: ContentScanner) -> Bool {
        let isHTTP11 = head.startWords.first == "HTTP/1.1" && request.request.isHTTP11
        let isMisstated = request.faults.contains {
            if case .contentLength = $0.action { true } else { false }
        }
        return isHTTP11 && !scanner.endsWithConnection && !isMisstated
            && !head.members(FieldName.connection).contains("close")
    }
}
