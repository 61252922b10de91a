import HTTPServing
import MockOrigin
import OriginScript

/// An answer of the proxy itself.
struct LocalAnswer: Sendable {
    let status: Int
    /// The head; empty if a fault ends the connection before it.
    let head: [UInt8]
    let steps: [RawReply.Step]
    /// Whether no further request is read after it.
    let closes: Bool
    let marks: [FaultTrack.Mark]

    /// Returns the content of the answer to a method, as far as a journal keeps it.
    func content(for method: String) -> KeptContent {
        let sent = beginning
        var position = 0
        while let end = HeadBytes.end(in: sent.bytes, from: position),
            let head = ResponseHead(HeadBytes(Array(sent.bytes[position..<end])))
        {
            position = end
            if head.isInterim { continue }
            var scanner = ContentScanner(head.framing(for: method))
            var content = KeptContent()
            while let (part, count) = scanner.next(sent.bytes[position...]) {
                if part == .content { content.add(sent.bytes[position..<position + count]) }
                position += count
            }
            let isWhole = sent.count == sent.bytes.count
            return isWhole ? content : KeptContent(content.bytes, count: scanner.total ?? sent.count - end)
        }
        return KeptContent()
    }

    /// The first bytes of the answer, enough for what a journal keeps, and the number of all.
    private var beginning: (bytes: [UInt8], count: Int) {
        var (sent, count): ([UInt8], Int) = ([], 0)
        func add(_ bytes: ArraySlice<UInt8>) {
            sent += bytes.prefix(max(0, Self.maximumHeadBytes + KeptContent.maximumBytes - sent.count))
        }
        for step in steps {
            switch step {
            case .write(let bytes):
                add(bytes)
                count += bytes.count
            case .produce(let producer):
                add(producer.bytes(0..<min(producer.count, KeptContent.maximumBytes)) ?? [])
                count += producer.count
            default: break
            }
        }
        return (sent, count)
    }

    /// Bytes of heads that are searched for the content.
    private static let maximumHeadBytes = 64 << 10

    /// Creates the answer of a short response with its faults.
    init(_ response: LocalResponse, to exchange: ProxiedExchange, closes: Bool) {
        var track = FaultTrack(exchange.faults(of: nil))
        let bytes = response.bytes(for: exchange.request, closes: closes)
        head = Self.head(in: [.write(bytes[...])])
        track.enter(.beforeHead)
        track.enter(.head, total: head.count)
        track.take(0..<head.count, of: bytes)
        track.enter(.body, total: bytes.count - head.count)
        track.take(head.count..<bytes.count, of: bytes)
        track.finish()
        (status, self.closes, marks) = (response.status, closes, track.takeMarks())
        steps = track.takeSteps()
    }

    /// Creates the answer of a composed reply, which has applied `faults`.
    init(_ answer: ComposedAnswer, faults: [Fault], closes: Bool) {
        status = answer.status
        head = Self.head(in: answer.steps)
        steps = answer.steps + [.end(answer.ending)]
        self.closes = closes || answer.ending == .close
        marks = faults.map { fault in
            let offset = if case .byte(let span) = fault.point { span.low } else { 0 }
            return FaultTrack.Mark(fault: fault, event: fault.event, offset: offset)
        }
    }

    private static func head(in steps: [RawReply.Step]) -> [UInt8] {
        for case .write(let bytes) in steps {
            let bytes = Array(bytes)
            if let end = HeadBytes.end(in: bytes, from: 0) { return Array(bytes[..<end]) }
        }
        return []
    }
}

extension ConnectionEnd {
    /// Creates the end after the last bytes; `nil` for an end as without faults.
    init?(_ ending: RawReply.Ending) {
        switch ending {
        case .keepAlive, .close: return nil
        case .cut: self = .close
        case .drainAndClose: self = .halfClose
        case .reset: self = .reset
        }
    }
}
