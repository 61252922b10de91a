import Clocks
package import HTTPServing
package import OriginScript

extension ComposedReply.Step {
    /// Whether the step is the whole final head.
    var isHead: Bool { if case .head = self { true } else { false } }

    /// Whether the step ends the content.
    var isEnd: Bool { if case .endOfContent = self { true } else { false } }

    /// Returns the content, or the bytes of another event, that it sends; `nil` if it sends none of that event.
    func content(of event: FaultEvent) -> Content? {
        switch self {
        case .content(let content, _, _): event == .body ? content : nil
        case .part(event, let bytes, _): Content(Array(bytes))
        default: nil
        }
    }

    /// Returns the same step with different bytes.
    func with(_ bytes: ArraySlice<UInt8>) -> ComposedReply.Step {
        switch self {
        case .content(_, let chunk, let endsChunk):
            .content(Content(Array(bytes)), chunk: chunk, endsChunk: endsChunk)
        case .part(let event, _, let completes): .part(event, bytes, completes: completes)
        default: self
        }
    }

    /// Splits the step.
    ///
    /// Only the first part begins a chunk; only the second ends one or completes a part.
    func split(after count: Int) -> (ComposedReply.Step, ComposedReply.Step) {
        switch self {
        case .content(let bytes, let chunk, let endsChunk):
            let rest = bytes.dropFirst(count)
            return (
                .content(bytes.prefix(count), chunk: chunk, endsChunk: endsChunk && rest.isEmpty),
                .content(rest, chunk: nil, endsChunk: endsChunk)
            )
        case .part(let event, let bytes, let completes):
            let rest = bytes.dropFirst(count)
            return (
                .part(event, bytes.prefix(count), completes: completes && rest.isEmpty),
                .part(event, rest, completes: completes)
            )
        default: return (self, self)
        }
    }
}

extension ComposedReply {
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
        let sizes = steps.compactMap { if case .content(let piece, _, _) = $0 { piece.count } else { nil } }
        let isStated = head.fields.contains { $0.name.isSameFieldName(as: FieldName.contentLength) }
        guard !isStated, coding == .chunked || ending == .close, !sizes.isEmpty else { return }
        coding = .identity
        head.fields.removeAll { $0.name.isSameFieldName(as: FieldName.transferEncoding) }
        head.fields.append(ServedField(FieldName.contentLength, "\(sizes.reduce(0, +))"))
    }
}

extension ComposedReply.Head {
    /// Creates a 1xx head without fields.
    init(interim status: Int) {
        self.init(status: status, reason: ReasonPhrase.standard(status), fields: [])
    }
}

extension RawReply.Ending {
    /// The ending of a reply whose connection a fault ends.
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
