extension StreamConnection {
    /// Starts to read content; sends 100 (Continue) if the client waits for it (RFC 9110 §10.1.1).
    func readContent() {
        guard !readsContent, !isContentComplete else { return }
        setReadsContent(true)
        if owesContinue, leftover.isEmpty { output.append(Array("HTTP/1.1 100 Continue\r\n\r\n".utf8)) }
        owesContinue = false
        useLeftover()
    }

    var isContentComplete: Bool { if case .complete = content { true } else { false } }

    func useLeftover() {
        guard !leftover.isEmpty else { return }
        let bytes = leftover
        leftover = []
        bytes.withUnsafeBufferPointer { use($0) }
    }

    /// Reads content from the start of some input; returns the number of bytes that were used.
    func takeContent(_ bytes: UnsafeBufferPointer<UInt8>, _ exchange: StreamExchange) -> Int {
        switch content {
        case .complete: return 0
        case .length(let left):
            let count = min(left, bytes.count)
            content = count == left ? .complete : .length(left - count)
            deliver(Array(bytes[..<count]), exchange)
            return count
        case .chunked(var reader):
            let (piece, count, step) = Self.content(ofChunks: bytes, &reader)
            content = .chunked(reader)
            deliver(piece, exchange)
            return count + take(step, exchange, rest: bytes.count - count)
        }
    }

    /// Returns the content of all chunks as one piece, the number of bytes used, and the step after them: the cost of a piece
    /// is much higher than that of a byte, and a client may send chunks of one byte.
    private static func content(
        ofChunks bytes: UnsafeBufferPointer<UInt8>,
        _ reader: inout ChunkReader
    ) -> (piece: [UInt8], count: Int, step: ChunkReader.Step) {
        var (piece, position) = ([UInt8](), 0)
        while true {
            let rest = UnsafeBufferPointer(rebasing: bytes[position...])
            let step = reader.next(rest)
            switch step {
            case .framing(let count): position += count
            case .content(let count):
                piece += rest[..<count]
                position += count
            case .incomplete, .end, .refused: return (piece, position, step)
            }
        }
    }

    /// Handles the step after some chunks; returns the number of bytes used of the rest.
    private func take(_ step: ChunkReader.Step, _ exchange: StreamExchange, rest: Int) -> Int {
        switch step {
        case .end(let count):
            content = .complete
            deliver([], exchange)
            return count
        case .refused(let problem):
            refuseContent(of: exchange, problem)
            return rest
        case .framing, .content, .incomplete: return 0
        }
    }

    private func deliver(_ piece: [UInt8], _ exchange: StreamExchange) {
        contentPace.add(piece.count)
        if !piece.isEmpty, !exchange.receive(piece) { setReadsContent(false) }
        if isContentComplete {
            setReadsContent(false)
            exchange.endContent(.complete)
        }
    }
}
