import OriginScript

/// The effects of the toxics of one direction on a connection: when its bytes leave, and when and how it ends.
///
/// A function of what was received when; it neither waits nor sends.
struct ToxicTrack: Sendable {
    /// The next event on the connection.
    enum Action: Sendable, Hashable {
        case send(ArraySlice<UInt8>)
        /// The direction ends.
        case finish
        /// Both directions end.
        case end(ConnectionEnd)
    }
    /// An action and its time by the proxy's clock.
    struct Entry: Sendable, Hashable {
        var action: Action
        var due: Duration
    }
    /// The consequences of changed toxics for bytes in transit.
    enum Change: Sendable, Hashable {
        /// It leaves when it would have.
        case keeps
        /// It leaves at once: Toxiproxy interrupts what a removed or changed toxic delays.
        case flushes
        /// Bytes were dropped, and the toxic no longer ends the connection by itself; it ends now.
        case ends(ConnectionEnd)
    }
    private let draw: FaultDraw
    private let stream: Toxic.Stream
    private var stages: [ToxicStage] = []
    private var isFinished = false

    /// Creates a track of a direction; `draw` gives the random numbers of the connection.
    init(_ stream: Toxic.Stream, _ draw: FaultDraw) {
        (self.stream, self.draw) = (stream, draw)
    }

    /// When and how a toxic ends the connection, regardless of bytes in transit; `nil` if none does.
    var deadline: (time: Duration, end: ConnectionEnd)? {
        stages.compactMap(\.deadline).min { $0.time < $1.time }
    }

    /// The number of bytes in transit above which nothing more is read: as much as a delay holds, or little.
    var capacity: Int {
        let delays = stages.contains { $0.isActive && $0.toxic.type == .latency }
        return delays ? 4 << 20 : 64 << 10
    }

    /// Returns the actions for bytes that were received `now`.
    mutating func take(_ bytes: [UInt8], at now: Duration) -> [Entry] {
        guard !isFinished else { return [] }
        var (pieces, closes) = ([ToxicStage.Piece(bytes: bytes[...], due: now)], false)
        for index in stages.indices {
            // What follows the bytes that a limit lets pass is not received by the toxics after it.
            let result = stages[index].pass(pieces)
            pieces = result.pieces
            closes = closes || result.closes
        }
        var entries = pieces.map { Entry(action: .send($0.bytes), due: $0.due) }
        if closes {
            isFinished = true
            entries.append(Entry(action: .end(.close), due: pieces.last?.due ?? now))
        }
        return entries
    }

    /// Returns the actions for the end of the direction, by its end or by a reset of the connection.
    mutating func finish(at now: Duration, isReset: Bool) -> [Entry] {
        guard !isFinished else { return [] }
        isFinished = true
        var due = now
        for index in stages.indices {
            guard let next = stages[index].end(at: due) else { return [] }
            due = next
        }
        return [Entry(action: isReset ? .end(.reset) : .finish, due: due)]
    }

    /// Uses other toxics from `now` on; equal ones continue unchanged.
    mutating func use(_ toxics: [Toxic], at now: Duration) -> Change {
        let toxics = toxics.filter { $0.stream == stream }
        let former = stages
        stages = toxics.map { toxic in
            let present = former.first { $0.toxic.name == toxic.name && $0.toxic.type == toxic.type }
            guard var stage = present else { return ToxicStage(toxic, draw, at: now) }
            if stage.toxic != toxic { stage.update(toxic, at: now) }
            return stage
        }
        return change(from: former)
    }

    private func change(from former: [ToxicStage]) -> Change {
        let changed = former.filter { stage in !stages.contains { $0.toxic == stage.toxic } }
        let lossy = changed.first { stage in
            stage.dropsBytes && !stages.contains { $0.toxic.name == stage.toxic.name && $0.dropsBytes }
        }
        if let lossy { return .ends(lossy.toxic.type == .resetPeer ? .reset : .close) }
        return changed.isEmpty ? .keeps : .flushes
    }
}
