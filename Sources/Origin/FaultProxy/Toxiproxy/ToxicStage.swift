import OriginScript

/// The effect of one toxic on the bytes of one direction of a connection; times are those of the proxy's clock.
struct ToxicStage: Sendable {
    /// Bytes and the time at which they leave.
    struct Piece: Sendable, Hashable {
        var bytes: ArraySlice<UInt8>
        var due: Duration
    }
    private(set) var toxic: Toxic
    private let draw: FaultDraw
    private let event: FaultEvent
    /// Whether the toxic affects the connection.
    private(set) var isActive: Bool
    /// When the bytes before have left.
    private var free = Duration.zero
    /// Bytes that have passed.
    private var passed = 0
    private var draws = 0
    /// When and how the toxic ends the connection, regardless of bytes in transit.
    private(set) var deadline: (time: Duration, end: ConnectionEnd)?
    /// A time that no connection reaches: later than any delay.
    static let never = Duration.milliseconds(2 << 40)

    init(_ toxic: Toxic, _ draw: FaultDraw, at now: Duration) {
        (self.toxic, self.draw) = (toxic, draw)
        event = toxic.stream == .upstream ? .requestBody : .body
        isActive = Self.isDrawn(toxic, draw, event)
        begin(at: now)
    }

    /// Continues with other attributes of the same toxic.
    mutating func update(_ changed: Toxic, at now: Duration) {
        let losesBytes = dropsBytes && toxic.type == .resetPeer
        if !losesBytes, changed.toxicity != toxic.toxicity { isActive = Self.isDrawn(changed, draw, event) }
        toxic = changed
        free = .zero
        // A reset that is on its way comes, since bytes are missing.
        if !losesBytes { deadline = nil }
        begin(at: now)
    }

    /// Whether bytes are dropped, or were, so that the connection cannot continue without the toxic.
    var dropsBytes: Bool { isActive && toxic.type == .timeout || deadline != nil }

    /// Returns when the pieces leave, and whether the connection is closed after them.
    mutating func pass(_ pieces: [Piece]) -> (pieces: [Piece], closes: Bool) {
        guard isActive else { return (pieces, false) }
        switch toxic.type {
        case .latency: return (pieces.map { delayed($0) }, false)
        case .bandwidth: return (pieces.flatMap { limited($0) }, false)
        case .slicer: return (pieces.flatMap { sliced($0) }, false)
        case .limitData: return cut(pieces)
        case .slowClose: return (pieces, false)
        case .timeout: return ([], false)
        case .resetPeer:
            if let first = pieces.first { reset(after: first.due) }
            return ([], false)
        }
    }

    /// Returns when the direction ends; `nil` if it does not.
    mutating func end(at due: Duration) -> Duration? {
        guard isActive else { return due }
        switch toxic.type {
        case .slowClose: return due + toxic.milliseconds("delay")
        case .timeout: return nil
        case .resetPeer:
            reset(after: due)
            return nil
        case .latency, .bandwidth, .slicer, .limitData: return max(due, free)
        }
    }

    private static func isDrawn(_ toxic: Toxic, _ draw: FaultDraw, _ event: FaultEvent) -> Bool {
        draw.unit(event, "toxicity \(toxic.name)") < toxic.toxicity
    }

    private mutating func begin(at now: Duration) {
        guard isActive, toxic.type == .timeout, toxic["timeout"] > 0 else { return }
        deadline = (now + toxic.milliseconds("timeout"), .close)
    }

    private mutating func reset(after due: Duration) {
        if deadline == nil { deadline = (due + toxic.milliseconds("timeout"), .reset) }
    }

    /// Returns a number in -1..<1.
    private mutating func variation() -> Double {
        draws += 1
        return draw.unit(event, "variation \(toxic.name)", draws) * 2 - 1
    }

    private mutating func delayed(_ piece: Piece) -> Piece {
        var delay = Double(toxic["latency"])
        if toxic["jitter"] > 0 { delay += Double(toxic["jitter"]) * variation() }
        free = max(free, piece.due + .milliseconds(max(delay, 0)))
        return Piece(bytes: piece.bytes, due: free)
    }

    /// Delays the pieces to limit the rate: in Toxiproxy a kilobyte is 1000 bytes, and a tenth of a second's bytes leave
    /// at once.
    private mutating func limited(_ piece: Piece) -> [Piece] {
        let rate = toxic["rate"]
        guard rate > 0 else {
            free = Self.never
            return [Piece(bytes: piece.bytes, due: free)]
        }
        return piece.bytes.split(bySizes: { rate * 100 }).map { part in
            free = max(free, piece.due) + .microseconds(part.count * 1000 / rate)
            return Piece(bytes: part, due: free)
        }
    }

    private mutating func sliced(_ piece: Piece) -> [Piece] {
        let (size, variation) = (toxic["average_size"], Double(toxic["size_variation"]))
        let parts = piece.bytes.split(bySizes: { max(1, size + Int(variation * self.variation())) })
        return parts.map { part in
            free = max(free, piece.due)
            defer { free += .microseconds(toxic["delay"]) }
            return Piece(bytes: part, due: free)
        }
    }

    private mutating func cut(_ pieces: [Piece]) -> ([Piece], Bool) {
        var kept: [Piece] = []
        for piece in pieces {
            let bytes = piece.bytes.prefix(max(0, toxic["bytes"] - passed))
            passed += bytes.count
            if !bytes.isEmpty { kept.append(Piece(bytes: bytes, due: piece.due)) }
            free = max(free, piece.due)
        }
        return (kept, passed >= toxic["bytes"])
    }
}

extension ArraySlice<UInt8> {
    /// Returns consecutive parts; `size` is asked for the size of each, at least 1.
    fileprivate func split(bySizes size: () -> Int) -> [ArraySlice<UInt8>] {
        var (rest, parts) = (self, [ArraySlice<UInt8>]())
        while !rest.isEmpty {
            parts.append(rest.prefix(size()))
            rest = rest.dropFirst(parts[parts.count - 1].count)
        }
        return parts
    }
}
