import HTTPServing
import OriginScript

/// Applies faults to a reply, each at its byte.
struct ReplyFaults {
    private(set) var reply: ComposedReply
    private let stall: Hold
    /// The index of the final head, after the interim ones.
    private let opening: Int
    private let headCount: Int
    private let contentCount: Int
    private let endCount: Int
    private static let lastChunk = Array("0\r\n\r\n".utf8)

    init(_ reply: ComposedReply, stall: Hold) {
        self.reply = reply
        self.stall = stall
        opening = reply.steps.firstIndex { $0.content(of: .head) != nil || $0.isHead } ?? reply.steps.count
        headCount = ComposedReply.bytes(reply.head).count
        contentCount = reply.steps.reduce(0) { $0 + ($1.content(of: .body)?.count ?? 0) }
        endCount = reply.coding == .chunked && reply.steps.contains(where: \.isEnd) ? Self.lastChunk.count : 0
    }

    /// Returns the reply with faults; those at the same position happen in the order of the list.
    static func apply(_ faults: [Fault], to reply: ComposedReply, stall: Hold) -> ComposedReply {
        guard !faults.isEmpty else { return reply }
        var reply = reply
        // First, because it changes where the head ends.
        for fault in faults {
            if case .contentLength(let change) = fault.action { reply.misstateLength(by: change) }
        }
        var applied = ReplyFaults(reply, stall: stall)
        let places = faults.map(applied.place)
        let ends = faults.map(\.action.connectionEnd)
        let last = places.indices.filter { ends[$0] != nil }.min { places[$0] < places[$1] }
        if let last, let end = ends[last] { applied.cut(at: places[last], end) }
        for index in faults.indices.reversed() where ends[index] == nil {
            // Faults after the end of the connection have no effect.
            if let last, places[last] < places[index] { continue }
            applied.apply(faults[index].action, at: places[index])
        }
        return applied.reply
    }

    /// A position: an event and an offset in its bytes.
    struct Place: Comparable {
        var event: FaultEvent
        var offset: Int

        static func < (left: Place, right: Place) -> Bool {
            (left.order, left.offset) < (right.order, right.offset)
        }

        private var order: Int { FaultEvent.allCases.firstIndex(of: event) ?? 0 }
    }

    private func place(of fault: Fault) -> Place {
        Place(event: fault.event, offset: fault.point.offset(in: count(of: fault.event)))
    }

    private func count(of event: FaultEvent) -> Int {
        switch event {
        case .head: headCount
        case .body: contentCount
        case .end: endCount
        default: 0
        }
    }

    // MARK: Actions

    /// Ends the connection at a position.
    private mutating func cut(at place: Place, _ end: ConnectionEnd) {
        reply.steps.removeSubrange(index(of: place)...)
        reply.ending = RawReply.Ending(end)
        let isWhole = reply.coding == .identity && place >= Place(event: .body, offset: contentCount)
        reply.isCut = !isWhole || end == .reset
    }

    private mutating func apply(_ action: FaultAction, at place: Place) {
        switch action {
        case .stall(.untilReleased): insert(.hold(stall), at: place)
        case .stall(.forever): insert(.hold(Hold()), at: place)
        case .stall(.time(let time)), .delay(let time): insert(.wait(time.low), at: place)
        case .garbage(.bytes(let bytes)): insert(.raw(bytes), at: place)
        case .garbage(.drawn(let count)): insert(.raw(Array(repeating: 0x3F, count: count)), at: place)
        case .interim(let status): insert(.interim(.init(interim: status)), at: place)
        case .duplicate(let count): duplicate(count ?? .max, at: place)
        case .rewrite(let bytes): rewrite(bytes, at: place)
        case .truncate: truncate(at: place)
        case .slow(let rate): slow(rate, from: place)
        case .refuse, .reset, .close, .halfClose, .status, .contentLength: break
        }
    }

    private mutating func insert(_ step: ComposedReply.Step, at place: Place) {
        reply.steps.insert(step, at: index(of: place))
    }

    private mutating func duplicate(_ count: Int, at place: Place) {
        let start = index(of: place)
        var bytes: [UInt8] = []
        for step in reply.steps[start...] where bytes.count < count {
            guard let content = step.content(of: place.event) else { continue }
            bytes += content.prefix(count - bytes.count).bytes() ?? []
        }
        reply.steps.insert(.raw(bytes), at: start)
    }

    private mutating func rewrite(_ bytes: [UInt8], at place: Place) {
        var rest = bytes[...]
        for index in index(of: place)..<reply.steps.count where !rest.isEmpty {
            guard let old = reply.steps[index].content(of: place.event)?.bytes() else { continue }
            let new = rest.prefix(old.count) + old.dropFirst(rest.count)
            rest = rest.dropFirst(old.count)
            reply.steps[index] = reply.steps[index].with(new[...])
        }
    }

    private mutating func truncate(at place: Place) {
        let start = index(of: place)
        let left = reply.steps[start...].filter { step in
            step.content(of: place.event) == nil && !(place.event == .end && step.isEnd)
        }
        reply.steps.replaceSubrange(start..., with: left)
        reply.isCut = true
    }

    private mutating func slow(_ rate: Int, from place: Place) {
        let start = index(of: place)
        let step = ContentPace.rateStep(rate, total: count(of: place.event))
        var slowed: [ComposedReply.Step] = []
        for old in reply.steps[start...] {
            guard var rest = old.content(of: place.event), !rest.isEmpty else {
                slowed.append(old)
                continue
            }
            var old = old
            while !rest.isEmpty {
                let size = min(step, rest.count)
                slowed.append(.wait(.seconds(1) * size / max(rate, 1)))
                let (first, second) = old.split(after: size)
                slowed.append(first)
                rest = rest.dropFirst(size)
                old = second
            }
        }
        reply.steps.replaceSubrange(start..., with: slowed)
    }

    // MARK: Positions

    /// Returns the index of the step after a position, splitting the step that contains it.
    private mutating func index(of place: Place) -> Int {
        switch place.event {
        case .head:
            expand(\.isHead, to: .head, ComposedReply.bytes(reply.head))
            return place.offset == 0 ? opening : index(after: place.offset, of: .head)
        case .body where place.offset > 0: return index(after: place.offset, of: .body)
        case .body: return afterHead
        case .end where place.offset > 0:
            expand(\.isEnd, to: .end, Self.lastChunk)
            return index(after: place.offset, of: .end)
        case .end:
            let last = reply.steps.lastIndex { $0.content(of: .body) != nil }
            return last.map { $0 + 1 } ?? afterHead
        default: return opening
        }
    }

    private var afterHead: Int {
        let last = reply.steps.lastIndex { $0.isHead || $0.content(of: .head) != nil }
        return last.map { $0 + 1 } ?? reply.steps.count
    }

    /// Replaces the first step that satisfies a condition with its bytes.
    private mutating func expand(
        _ isSuch: (ComposedReply.Step) -> Bool,
        to event: FaultEvent,
        _ bytes: [UInt8]
    ) {
        guard let index = reply.steps.firstIndex(where: isSuch) else { return }
        reply.steps[index] = .part(event, bytes[...], completes: true)
    }

    private mutating func index(after count: Int, of event: FaultEvent) -> Int {
        var left = count
        for index in reply.steps.indices {
            guard let bytes = reply.steps[index].content(of: event) else { continue }
            if left < bytes.count {
                let (first, second) = reply.steps[index].split(after: left)
                reply.steps.replaceSubrange(index...index, with: [first, second])
                return index + 1
            }
            left -= bytes.count
            if left == 0 { return index + 1 }
        }
        return reply.steps.count
    }
}
