import Clocks
package import HTTPServing
package import OriginScript

extension ComposedReply {
    /// Returns the reply with faults, each at its byte.
    func with(_ faults: [Fault], stall: Hold) -> ComposedReply {
        guard !faults.isEmpty else { return self }
        var whole = self
        // First, because it changes where the head ends.
        for case .contentLength(let change) in faults.map(\.action) { whole.misstateLength(by: change) }
        var track = FaultTrack(
            faults.filter { if case .contentLength = $0.action { false } else { true } },
            stall: stall,
            // The steps exist before the first is taken.
            maximumSteps: 1000
        )
        var reply = whole
        reply.steps = whole.steps.flatMap { whole.passed($0, &track) }
        track.finish()
        reply.steps += Self.steps(&track)
        let marks = track.takeMarks()
        reply.isCut = whole.isCut || marks.contains(where: whole.isCut)
        if let end = marks.last?.fault.action.connectionEnd { reply.ending = RawReply.Ending(end) }
        return reply
    }

    /// Returns the steps in place of one.
    private func passed(_ step: Step, _ track: inout FaultTrack) -> [Step] {
        switch step {
        case .head: return passedHead(&track)
        case .content(let content, let chunk, let endsChunk):
            if coding == .chunked, let chunk { track.frame(Content(Array(Self.chunkLine(chunk)))) }
            track.take(content, end: coding == .chunked && endsChunk ? Content(Self.chunkEnd) : nil)
        case .endOfContent:
            let end = coding == .chunked ? Self.lastChunk : []
            track.enter(.end, total: end.count)
            track.take(Content(end))
        case .interim, .wait, .hold, .decide, .headSent, .raw: return track.isFinished ? [] : [step]
        }
        return Self.steps(&track)
    }

    /// Returns the steps of the effects since the last call.
    private static func steps(_ track: inout FaultTrack) -> [Step] {
        track.takeEffects().compactMap { Step($0) }
    }

    private func passedHead(_ track: inout FaultTrack) -> [Step] {
        let bytes = Self.bytes(head)
        track.enter(.beforeHead)
        track.enter(.head, total: bytes.count)
        track.take(Content(bytes))
        let isWhole = track.sent(of: .head) == bytes.count
        let steps = Self.steps(&track) + (isWhole ? [.headSent] : [])
        track.enter(.body, total: contentCount)
        return steps + Self.steps(&track)
    }

    private var contentCount: Int {
        steps.reduce(0) { if case .content(let piece, _, _) = $1 { $0 + piece.count } else { $0 } }
    }

    /// Whether a fault cuts off the content.
    private func isCut(by mark: FaultTrack.Mark) -> Bool {
        switch mark.fault.action {
        case .truncate, .reset: true
        case .close, .halfClose:
            coding == .chunked || mark.event != .end && (mark.event != .body || mark.offset < contentCount)
        default: false
        }
    }

    /// Changes `Content-Length`.
    ///
    /// The connection ends, because a further response could not be parsed.
    mutating func misstateLength(by change: Int) {
        stateLength()
        for index in head.fields.indices
        where head.fields[index].name.isSameFieldName(as: FieldName.contentLength) {
            let length = Int(head.fields[index].value) ?? 0
            head.fields[index].value = "\(max(0, length + change))"
            if ending == .keepAlive { ending = .close }
            isCut = isCut || change > 0
        }
    }

    /// Frames content by its length instead of chunks or the end of the connection.
    private mutating func stateLength() {
        let isStated = head.fields.contains { $0.name.isSameFieldName(as: FieldName.contentLength) }
        guard !isStated, coding == .chunked || ending == .close, contentCount > 0 else { return }
        coding = .identity
        head.fields.removeAll { $0.name.isSameFieldName(as: FieldName.transferEncoding) }
        head.fields.append(ServedField(FieldName.contentLength, "\(contentCount)"))
    }
}

extension ComposedReply.Head {
    /// Creates a 1xx head without fields.
    init(interim status: Int) {
        self.init(status: status, reason: ReasonPhrase.standard(status), fields: [])
    }
}

extension RawReply.Ending {
    /// Creates the ending of a reply whose connection a fault ends.
    package init(_ end: ConnectionEnd) {
        switch end {
        case .reset: self = .reset
        // Like the crash of a server.
        case .close: self = .cut
        case .halfClose: self = .drainAndClose
        }
    }
}

extension Answer {
    /// The faults that `delay`, `hold` and `rate` are short forms of.
    var notedFaults: [Fault] {
        var faults: [Fault] = []
        if delay > .zero { faults.append(Fault(.delay(RandomRange(delay)), at: .beforeHead)) }
        switch hold {
        case .head: faults.append(Fault(.stall(.untilReleased), at: .beforeHead))
        case .body: faults.append(Fault(.stall(.untilReleased), at: .body))
        case nil: break
        }
        if let rate { faults.append(Fault(.slow(bytesPerSecond: rate), at: .body)) }
        return faults
    }

    /// Returns the answer that a fault substitutes for this one, or this one.
    func replaced(by faults: [Fault]) -> Answer {
        for fault in faults {
            guard case .status(let status, let after) = fault.action else { continue }
            var answer = Answer()
            answer.status = status
            answer.fields = after.map { [FieldLine(FieldName.retryAfter, .text("\($0.wholeSeconds)"))] } ?? []
            (answer.date, answer.delay, answer.hold) = (date, delay, hold)
            return answer
        }
        return self
    }
}

extension ComposedReply.Step {
    /// Creates the step of an effect; `nil` for the end of the connection, which is no step.
    fileprivate init?(_ effect: FaultEffect) {
        switch effect {
        case .send(let content, .body): self = .content(content, chunk: nil, endsChunk: false)
        case .send(let content, _): self = .raw(content.bytes() ?? [])
        case .interim(let status): self = .interim(ComposedReply.Head(interim: status))
        case .wait(let time): self = .wait(time)
        case .hold(let hold): self = .hold(hold ?? Hold())
        case .end: return nil
        }
    }
}
