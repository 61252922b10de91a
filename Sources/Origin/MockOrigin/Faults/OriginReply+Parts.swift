import HTTPServing
import OriginScript

extension OriginReply.Step {
    /// Whether it stands for the whole final head.
    var isHead: Bool { if case .head = self { true } else { false } }

    /// Whether it ends the content.
    var isEnd: Bool { if case .endOfContent = self { true } else { false } }

    /// The content, or the bytes of another event, that it sends; `nil` where it is another's.
    func content(of event: FaultEvent) -> Content? {
        switch self {
        case .content(let content, _, _): event == .body ? content : nil
        case .part(event, let bytes, _): Content(Array(bytes))
        default: nil
        }
    }

    /// The same step with other bytes.
    func with(_ bytes: ArraySlice<UInt8>) -> OriginReply.Step {
        switch self {
        case .content(_, let chunk, let endsChunk):
            .content(Content(Array(bytes)), chunk: chunk, endsChunk: endsChunk)
        case .part(let event, _, let completes): .part(event, bytes, completes: completes)
        default: self
        }
    }

    /// The step in two; only the first begins a chunk, only the second ends one or completes a part.
    func split(after count: Int) -> (OriginReply.Step, OriginReply.Step) {
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

extension OriginReply {
    /// Tells another length than that of the content; what follows on the connection would not be understood.
    mutating func misstateLength(by change: Int) {
        tellLength()
        for index in head.fields.indices
        where head.fields[index].name.isSameFieldName(as: FieldName.contentLength) {
            let length = Int(head.fields[index].value) ?? 0
            head.fields[index].value = "\(max(0, length + change))"
            if ending == .keepAlive { ending = .close }
            isCut = isCut || change > 0
        }
    }

    /// Has content that is sent in chunks, or to the connection's end, framed by its length.
    private mutating func tellLength() {
        let sizes = steps.compactMap { if case .content(let piece, _, _) = $0 { piece.count } else { nil } }
        let isTold = head.fields.contains { $0.name.isSameFieldName(as: FieldName.contentLength) }
        guard !isTold, coding == .chunked || ending == .close, !sizes.isEmpty else { return }
        coding = .identity
        head.fields.removeAll { $0.name.isSameFieldName(as: FieldName.transferEncoding) }
        head.fields.append(ServedField(FieldName.contentLength, "\(sizes.reduce(0, +))"))
    }
}

extension OriginReply.Head {
    /// A 1xx head without fields.
    init(interim status: Int) {
        self.init(status: status, reason: ReasonPhrase.standard(status), fields: [])
    }
}

extension FaultAction {
    /// Whether it ends the connection.
    var ends: Bool {
        switch self {
        case .reset, .close, .halfClose: true
        default: false
        }
    }
}

extension Answer {
    /// What `delay`, `stall` and `rate` say, as the faults that they stand for, before the answer's own.
    var notedFaults: [Fault] {
        var faults: [Fault] = []
        if delay > .zero { faults.append(Fault(.delay(Span(delay)), at: .beforeHead)) }
        switch stall {
        case .head: faults.append(Fault(.stall(.untilReleased), at: .beforeHead))
        case .body: faults.append(Fault(.stall(.untilReleased), at: .body))
        case nil: break
        }
        if let rate { faults.append(Fault(.slow(bytesPerSecond: rate), at: .body)) }
        return faults
    }

    /// The answer that a fault puts in its place, or this one.
    func replaced(by faults: [Fault]) -> Answer {
        for fault in faults {
            guard case .status(let status, let after) = fault.action else { continue }
            var answer = Answer()
            answer.status = status
            answer.fields = after.map { [FieldLine(FieldName.retryAfter, .text("\($0)"))] } ?? []
            (answer.date, answer.delay, answer.stall) = (date, delay, stall)
            return answer
        }
        return self
    }
}
