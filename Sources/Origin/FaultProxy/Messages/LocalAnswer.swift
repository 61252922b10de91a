import HTTPServing
import MockOrigin
import OriginScript

/// An answer of the proxy itself as effects.
struct LocalAnswer: Sendable {
    let status: Int
    let bytes: [UInt8]
    let effects: [Effect]
    /// Whether no further request is read after it.
    let closes: Bool
    let marks: [FaultTrack.Mark]

    /// The head; empty if a fault ends the connection before it.
    var head: [UInt8] {
        if let end = HeadBytes.end(in: bytes, from: 0) { return Array(bytes[..<end]) }
        for case .insert(let bytes) in effects {
            if let end = HeadBytes.end(in: bytes, from: 0) { return Array(bytes[..<end]) }
        }
        return []
    }

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
            sent += bytes.prefix(max(0, Self.mostHead + KeptContent.most - sent.count))
        }
        for effect in effects {
            switch effect {
            case .pass(let range):
                add(bytes[range])
                count += range.count
            case .insert(let bytes):
                add(bytes[...])
                count += bytes.count
            case .produce(let producer):
                add(producer.bytes(0..<min(producer.count, KeptContent.most)) ?? [])
                count += producer.count
            case .wait, .hold, .stall, .end: break
            }
        }
        return (sent, count)
    }

    /// Bytes of heads that are searched for the content.
    private static let mostHead = 64 << 10

    /// Creates the answer of a short response with its faults.
    init(_ response: LocalResponse, to exchange: ProxiedExchange, closes: Bool) {
        var track = FaultTrack(exchange.faults(of: nil))
        bytes = response.bytes(for: exchange.request, closes: closes)
        let head = HeadBytes.end(in: bytes, from: 0) ?? bytes.count
        track.enter(.beforeHead)
        track.enter(.head, total: head)
        track.take(0..<head, of: bytes)
        track.enter(.body, total: bytes.count - head)
        track.take(head..<bytes.count, of: bytes)
        track.finish()
        (status, self.closes, marks) = (response.status, closes, track.takeMarks())
        effects = track.takeEffects()
    }

    /// Creates the answer of a composed reply, which has applied `faults`.
    init(_ answer: ComposedAnswer, faults: [Fault], closes: Bool) {
        status = answer.status
        bytes = []
        let (effects, ending) = Self.effects(answer.steps, answer.ending)
        self.effects = effects + (Self.end(ending).map { [.end($0)] } ?? [])
        self.closes = closes || ending == .close
        marks = faults.map { fault in
            let offset = if case .byte(let span) = fault.point { span.low } else { 0 }
            return FaultTrack.Mark(fault: fault, event: fault.event, offset: offset)
        }
    }

    private static func effects(_ steps: [RawReply.Step], _ ending: RawReply.Ending) -> (
        [Effect], RawReply.Ending
    ) {
        var effects: [Effect] = []
        for step in steps {
            switch step {
            case .write(let bytes): effects.append(.insert(Array(bytes)))
            case .produce(let producer): effects.append(.produce(producer))
            case .wait(let time): effects.append(.wait(time))
            case .hold: effects.append(.hold)
            case .pause(let time): effects.append(time().map { .wait($0) } ?? .stall)
            case .end(let ending): return (effects, ending)
            case .decide(let decide):
                let rest = decide()
                let (later, ending) = Self.effects(rest.steps, rest.ending)
                return (effects + later, ending)
            // These are of connections and requests.
            case .input, .hello, .expectTLS: break
            }
        }
        return (effects, ending)
    }

    private static func end(_ ending: RawReply.Ending) -> ConnectionEnd? {
        switch ending {
        case .keepAlive, .close: nil
        case .cut: .close
        case .drainAndClose: .halfClose
        case .reset: .reset
        }
    }
}
