/// Bytes that wait to be written.
struct OutputQueue {
    private var pieces: [[UInt8]] = []
    private var place = 0
    private var offset = 0

    var isEmpty: Bool { place == pieces.count }

    /// What is to be written next.
    var first: ArraySlice<UInt8>? { isEmpty ? nil : pieces[place][offset...] }

    mutating func append(_ bytes: [UInt8]) {
        if !bytes.isEmpty { pieces.append(bytes) }
    }

    /// Forgets so many bytes, which belong to the first piece.
    mutating func drop(_ count: Int) {
        offset += count
        guard offset == pieces[place].count else { return }
        pieces[place] = []
        offset = 0
        place += 1
        guard place == pieces.count else { return }
        pieces.removeAll(keepingCapacity: true)
        place = 0
    }
}
