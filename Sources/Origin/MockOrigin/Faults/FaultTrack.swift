package import HTTPServing
package import OriginScript

/// Applies the faults of one message to its bytes as they pass, event by event.
package struct FaultTrack: Sendable {
    /// The effect of faults on the following bytes of their event.
    private struct Mode: Sendable {
        var isDropping = false
        var rate: Int?
        var rewriting: ArraySlice<UInt8> = []
        var duplicating: (left: Int, kept: [UInt8])?

        /// Returns the number of bytes, of an event of `total` bytes, that can be treated alike.
        func most(of total: Int?, inSteps maximumSteps: Int?) -> Int {
            if isDropping { return .max }
            let most = min(duplicating?.left ?? .max, rewriting.isEmpty ? .max : rewriting.count)
            let least = maximumSteps.map { (total ?? 0) / $0 } ?? 1
            // Twenty steps per second.
            return min(most, rate.map { max($0 / 20, least, 1) } ?? .max)
        }
    }
    /// A fault that happened.
    package struct Mark: Sendable, Hashable, CustomStringConvertible {
        package let fault: Fault
        package let event: FaultEvent
        package let offset: Int

        package init(fault: Fault, event: FaultEvent, offset: Int) {
            (self.fault, self.event, self.offset) = (fault, event, offset)
        }

        /// The fault with the byte at which it happened.
        package var description: String { Fault(fault.action, at: event, byte: offset).description }
    }
    /// Bytes of a message above which a duplicate ends, because they are kept until then.
    private static let maximumDuplicatedBytes = 16 << 20

    /// Those of later events.
    private var later: [Fault]
    /// Those of this event, in order.
    private var due: [(place: Int, fault: Fault)] = []
    private var event: FaultEvent?
    private var total: Int?
    /// Bytes of this event until now.
    package private(set) var offset = 0
    private var mode = Mode()
    /// Bytes of the message that further duplicates may keep.
    private var duplicable = maximumDuplicatedBytes
    private var endsAfterwards = false
    private var effects: [FaultEffect] = []
    /// Whether a fault has ended the connection.
    package private(set) var isFinished = false
    private var marks: [Mark] = []
    /// Whether the content is kept until it is taken.
    private let keepsContent: Bool
    private var content: [UInt8] = []
    private let stall: Hold?
    private let maximumSteps: Int?

    /// Creates the track of resolved faults; `stall` is the hold on which all its stalls wait, by default a separate one
    /// for each.
    ///
    /// Slow content of known length consists of about `maximumSteps` steps at most, by default of as many as its rate needs.
    package init(_ faults: [Fault], keepsContent: Bool = false, stall: Hold? = nil, maximumSteps: Int? = nil)
    {
        (later, self.keepsContent, self.stall, self.maximumSteps) = (
            faults, keepsContent, stall, maximumSteps
        )
    }

    /// Returns the number of bytes of an event that the effects since the last call send.
    func sent(of event: FaultEvent) -> Int {
        effects.reduce(0) { if case .send(let sent, event) = $1 { $0 + sent.count } else { $0 } }
    }

    /// Returns the effects since the last call.
    mutating func takeEffects() -> [FaultEffect] {
        defer { effects = [] }
        return effects
    }

    /// Returns the steps since the last call.
    package mutating func takeSteps() -> [RawReply.Step] {
        // The storage stays for the next piece.
        defer { effects.removeAll(keepingCapacity: true) }
        return effects.map { RawReply.Step($0) }
    }

    /// Returns the faults that happened since the last call, in order.
    package mutating func takeMarks() -> [Mark] {
        defer { marks = [] }
        return marks
    }

    /// Returns the content, without framing, that the steps since the last call send.
    package mutating func takeContent() -> [UInt8] {
        defer { content = [] }
        return content
    }

    // MARK: Progress

    /// Continues with an event of `total` bytes, `nil` if that is not known; a share of an unknown number is its start.
    package mutating func enter(_ event: FaultEvent, total: Int? = nil) {
        leave(for: event)
        (self.event, self.total) = (event, total)
        (offset, mode) = (0, Mode())
        if later.isEmpty { return }
        due = later.filter { $0.event == event }.ordered { $0.point.offset(in: total) }
        later.removeAll { $0.event == event }
        applyDue()
    }

    /// Continues with an event of unknown size, unless it has begun.
    package mutating func enterOnce(_ event: FaultEvent) {
        if self.event != event { enter(event) }
    }

    /// Passes on bytes of the event: a range of a buffer.
    package mutating func take(_ range: Range<Int>, of buffer: [UInt8]) { take(Content(buffer, range)) }

    /// Passes on bytes of the event, and those that end their framing before what happens behind the last of them.
    mutating func take(_ content: Content, end: Content? = nil) {
        var rest = content
        while !isFinished, !rest.isEmpty {
            let next = (due.first?.place ?? .max) - offset
            let count = min(rest.count, next, mode.most(of: total, inSteps: maximumSteps))
            emit(rest.prefix(count))
            rest = rest.dropFirst(count)
            offset += count
            if rest.isEmpty, let end { frame(end) }
            applyDue()
        }
    }

    /// Passes on bytes that frame the content and belong to no event: a range of a buffer.
    package mutating func frame(_ range: Range<Int>, of buffer: [UInt8]) { frame(Content(buffer, range)) }

    /// Passes on bytes that frame the content and belong to no event.
    mutating func frame(_ content: Content) {
        if !isFinished, !mode.isDropping { send(content, of: nil) }
    }

    /// Completes the message: faults beyond its last byte happen now.
    package mutating func finish() {
        leave(for: nil)
        if endsAfterwards, !isFinished { add(.end(.close)) }
    }

    // MARK: Faults

    /// Applies what remains of this event and of those that the message has not before `next`, its end if that is `nil`.
    private mutating func leave(for next: FaultEvent?) {
        completeDuplicate()
        if !due.isEmpty { apply(due.map(\.fault).ordered { _ in 0 }) }
        due = []
        if later.isEmpty { return }
        let rank = next?.rank ?? .max
        apply(later.filter { $0.event.rank < rank }.ordered { $0.event.rank })
        later.removeAll { $0.event.rank < rank }
    }

    private mutating func apply(_ faults: [(place: Int, fault: Fault)]) {
        for (_, fault) in faults where !isFinished { apply(fault) }
    }

    private mutating func applyDue() {
        while let first = due.first, first.place <= offset, !isFinished {
            due.removeFirst()
            apply(first.fault)
        }
    }

    private mutating func apply(_ fault: Fault) {
        marks.append(Mark(fault: fault, event: fault.event, offset: fault.event == event ? offset : 0))
        if let effect = fault.action.effect(stall: stall ?? Hold()) { return add(effect, of: fault.event) }
        switch fault.action {
        case .truncate: mode.isDropping = true
        case .duplicate(let count):
            completeDuplicate()
            let count = duplicated(count)
            if count > 0 { mode.duplicating = (count, []) }
        case .rewrite(let bytes): mode.rewriting = bytes[...]
        case .slow(let rate): mode.rate = rate
        case .contentLength: endsAfterwards = true
        case .refuse, .reset, .close, .halfClose, .stall, .delay, .garbage, .status, .interim: break
        }
    }

    /// Adds an effect; bytes that a fault sends at an event are content there.
    private mutating func add(_ effect: FaultEffect, of event: FaultEvent? = nil) {
        effects.append(effect)
        switch effect {
        case .send(let content, _): keep(content, of: event)
        case .end: isFinished = true
        case .interim, .wait, .hold: break
        }
    }

    // MARK: Bytes

    /// Sends bytes that are all treated alike.
    private mutating func emit(_ content: Content) {
        guard !mode.isDropping else { return }
        if let rate = mode.rate { effects.append(.wait(.seconds(1) * content.count / max(rate, 1))) }
        var content = content
        if !mode.rewriting.isEmpty {
            content = Content(Array(mode.rewriting.prefix(content.count)))
            mode.rewriting = mode.rewriting.dropFirst(content.count)
        }
        send(content, of: event)
        guard mode.duplicating != nil else { return }
        mode.duplicating?.kept += content.bytes() ?? []
        mode.duplicating?.left -= content.count
        if mode.duplicating?.left == 0 { completeDuplicate() }
    }

    /// Returns the number of the following bytes that are sent twice.
    private func duplicated(_ count: Int?) -> Int {
        min(count ?? .max, duplicable, (total ?? .max) - offset)
    }

    private mutating func completeDuplicate() {
        guard let kept = mode.duplicating?.kept else { return }
        mode.duplicating = nil
        duplicable -= kept.count
        if !kept.isEmpty, !isFinished { add(.send(Content(kept), nil), of: event) }
    }

    /// Sends bytes without a copy, in one step with those before them in the same buffer.
    private mutating func send(_ content: Content, of event: FaultEvent?) {
        guard !content.isEmpty else { return }
        keep(content, of: event)
        if case .send(let last, let place)? = effects.last, let both = last.joined(content) {
            effects[effects.count - 1] = .send(both, place)
        } else {
            effects.append(.send(content, event))
        }
    }

    private mutating func keep(_ content: Content, of event: FaultEvent?) {
        if keepsContent, event == .body || event == .requestBody { self.content += content.bytes() ?? [] }
    }
}
