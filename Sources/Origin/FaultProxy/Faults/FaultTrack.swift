import HTTPServing
import MockOrigin
import OriginScript

/// Applies the faults of one message to its bytes as they pass, event by event.
struct FaultTrack: Sendable {
    private struct Placed: Sendable {
        let offset: Int
        let fault: Fault
    }
    /// The effect of a fault on the following bytes of its event.
    private struct Mode: Sendable {
        var isDropping = false
        var rate: Int?
        var rewriting: ArraySlice<UInt8> = []
        var duplicating: (left: Int, kept: [UInt8])?
    }
    /// A fault that happened.
    struct Mark: Sendable, Hashable {
        let fault: Fault
        let event: FaultEvent
        let offset: Int
    }
    /// Bytes above which a duplicate ends, because they are kept until then.
    static let mostDuplicated = 16 << 20

    /// Those of later events.
    private var later: [Fault]
    /// Those of this event, in order.
    private var due: [Placed] = []
    private var event: FaultEvent?
    /// Bytes of this event until now.
    private(set) var offset = 0
    private var mode = Mode()
    private var endsAfterwards = false
    private var steps: [RawReply.Step] = []
    /// Whether a fault has ended the connection.
    private(set) var isOver = false
    private var marks: [Mark] = []
    /// Whether the content is kept until it is taken.
    private let keepsContent: Bool
    private var content: [UInt8] = []
    private let stall: Hold?

    /// Creates the track of resolved faults; `stall` is what all its stalls wait for, by default each for a hold of its own.
    init(_ faults: [Fault], keepsContent: Bool = false, stall: Hold? = nil) {
        (later, self.keepsContent, self.stall) = (faults, keepsContent, stall)
    }

    /// Returns the steps since the last call.
    mutating func takeSteps() -> [RawReply.Step] {
        defer { steps = [] }
        return steps
    }

    /// Returns the faults that happened since the last call, in order.
    mutating func takeMarks() -> [Mark] {
        defer { marks = [] }
        return marks
    }

    /// Returns the content, without framing, that the steps since the last call send.
    mutating func takeContent() -> [UInt8] {
        defer { content = [] }
        return content
    }

    // MARK: Progress

    /// Continues with an event of `total` bytes, `nil` if that is not known; a share of an unknown number is its start.
    mutating func enter(_ event: FaultEvent, total: Int? = nil) {
        leave(for: Self.rank(event))
        self.event = event
        (offset, mode) = (0, Mode())
        if later.isEmpty { return }
        due = Self.placed(later.filter { $0.event == event }, total)
        later.removeAll { $0.event == event }
        applyDue()
    }

    /// Continues with an event of unknown size, unless it has begun.
    mutating func enterOnce(_ event: FaultEvent) {
        if self.event != event { enter(event) }
    }

    /// Passes on bytes of the event: a range of a buffer.
    mutating func take(_ range: Range<Int>, of buffer: [UInt8]) {
        var rest = range
        while !isOver, !rest.isEmpty {
            let next = (due.first?.offset ?? .max) - offset
            let count = min(rest.count, next, mode.duplicating?.left ?? .max)
            emit(rest.prefix(count), of: buffer)
            rest = rest.dropFirst(count)
            offset += count
            applyDue()
        }
    }

    /// Passes on bytes that frame the content and belong to no event.
    mutating func frame(_ range: Range<Int>, of buffer: [UInt8]) {
        if !isOver, !mode.isDropping { pass(range, of: buffer) }
    }

    /// The message is complete: faults beyond its last byte happen now.
    mutating func finish() {
        leave(for: .max)
        if endsAfterwards, !isOver { end(.close) }
    }

    // MARK: Faults

    private mutating func leave(for rank: Int) {
        completeDuplicate()
        for placed in due where !isOver { apply(placed.fault) }
        due = []
        if later.isEmpty { return }
        let skipped = later.filter { Self.rank($0.event) < rank }
        later.removeAll { Self.rank($0.event) < rank }
        let ordered = skipped.enumerated().sorted {
            (Self.rank($0.element.event), $0.offset) < (Self.rank($1.element.event), $1.offset)
        }
        for (_, fault) in ordered where !isOver { apply(fault) }
    }

    private mutating func applyDue() {
        while let first = due.first, first.offset <= offset, !isOver {
            due.removeFirst()
            apply(first.fault)
        }
    }

    private mutating func apply(_ fault: Fault) {
        marks.append(Mark(fault: fault, event: fault.event, offset: fault.event == event ? offset : 0))
        if let connectionEnd = fault.action.connectionEnd { return end(connectionEnd) }
        switch fault.action {
        case .stall(.untilReleased): steps.append(.hold(stall ?? Hold()))
        case .stall(.forever): steps.append(.pause { nil })
        case .stall(.time(let time)), .delay(let time): steps.append(.wait(time.low))
        case .garbage(.bytes(let bytes)): insert(bytes, of: fault.event)
        case .garbage(.drawn(let count)): insert(Array(repeating: 0x3F, count: count), of: fault.event)
        case .interim(let status):
            let reason = ReasonPhrase.standard(status)
            steps.append(.write(Array("HTTP/1.1 \(status) \(reason)\r\n\r\n".utf8)[...]))
        case .truncate: mode.isDropping = true
        case .duplicate(let count): mode.duplicating = (min(count ?? .max, Self.mostDuplicated), [])
        case .rewrite(let bytes): mode.rewriting = bytes[...]
        case .slow(let rate): mode.rate = rate
        case .contentLength: endsAfterwards = true
        case .refuse, .status, .reset, .close, .halfClose: break
        }
    }

    private mutating func end(_ end: ConnectionEnd) {
        steps.append(.end(RawReply.Ending(end)))
        isOver = true
    }

    // MARK: Bytes

    private mutating func emit(_ range: Range<Int>, of buffer: [UInt8]) {
        guard !mode.isDropping else { return }
        let rewritten = min(mode.rewriting.count, range.count)
        if rewritten > 0 {
            insert(Array(mode.rewriting.prefix(rewritten)), of: event)
            mode.rewriting = mode.rewriting.dropFirst(rewritten)
        }
        keep(buffer[range.dropFirst(rewritten)], of: event)
        paced(range.dropFirst(rewritten), of: buffer)
        guard mode.duplicating != nil else { return }
        mode.duplicating?.kept += buffer[range]
        mode.duplicating?.left -= range.count
        if mode.duplicating?.left == 0 { completeDuplicate() }
    }

    private mutating func completeDuplicate() {
        guard let kept = mode.duplicating?.kept else { return }
        mode.duplicating = nil
        if !kept.isEmpty, !isOver { insert(kept, of: event) }
    }

    /// Sends other bytes as a part of an event.
    private mutating func insert(_ bytes: [UInt8], of event: FaultEvent?) {
        steps.append(.write(bytes[...]))
        keep(bytes[...], of: event)
    }

    private mutating func keep(_ bytes: ArraySlice<UInt8>, of event: FaultEvent?) {
        if keepsContent, event == .body || event == .requestBody { content += bytes }
    }

    private mutating func paced(_ range: Range<Int>, of buffer: [UInt8]) {
        guard let rate = mode.rate else { return pass(range, of: buffer) }
        let step = max(1, rate / 20)
        var rest = range
        while !rest.isEmpty {
            let size = min(step, rest.count)
            steps.append(.wait(.seconds(1) * size / max(rate, 1)))
            pass(rest.prefix(size), of: buffer)
            rest = rest.dropFirst(size)
        }
    }

    /// Sends a range of a buffer without a copy, in one step with the range before it.
    private mutating func pass(_ range: Range<Int>, of buffer: [UInt8]) {
        guard !range.isEmpty else { return }
        if case .write(let last)? = steps.last, last.endIndex == range.lowerBound, last.isPart(of: buffer) {
            steps[steps.count - 1] = .write(buffer[last.startIndex..<range.upperBound])
        } else {
            steps.append(.write(buffer[range]))
        }
    }

    // MARK: Places

    /// Stable: faults at the same place happen in the order of the list.
    private static func placed(_ faults: [Fault], _ total: Int?) -> [Placed] {
        let places = faults.map { Placed(offset: $0.point.offset(in: total), fault: $0) }
        return places.enumerated().sorted {
            ($0.element.offset, $0.offset) < ($1.element.offset, $1.offset)
        }.map(\.element)
    }

    private static func rank(_ event: FaultEvent) -> Int { events.firstIndex(of: event) ?? 0 }

    private static let events = FaultEvent.allCases
}

extension ArraySlice<UInt8> {
    /// Whether the slice, which is not empty, shares the memory of a buffer.
    fileprivate func isPart(of buffer: [UInt8]) -> Bool {
        endIndex <= buffer.count
            && withUnsafeBufferPointer(\.baseAddress)
                == buffer[indices].withUnsafeBufferPointer(\.baseAddress)
    }
}
