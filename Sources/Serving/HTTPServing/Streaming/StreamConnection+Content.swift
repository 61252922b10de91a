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

    /// Reads content from the start of some input; returns how many bytes were used.
    func takeContent(_ bytes: UnsafeBufferPointer<UInt8>, _ exchange: StreamExchange) -> Int {
        switch content {
        case .complete: return 0
        case .length(let left):
            let count = min(left, bytes.count)
            content = count == left ? .complete : .length(left - count)
            deliver(bytes, count, exchange)
            return count
        case .chunked(var reader):
            let step = reader.next(bytes)
            content = .chunked(reader)
            return takeChunk(step, bytes, exchange)
        }
    }

    private func takeChunk(
        _ step: ChunkReader.Step,
        _ bytes: UnsafeBufferPointer<UInt8>,
        _ exchange: StreamExchange
    ) -> Int {
        switch step {
        case .framing(let count): return count
        case .incomplete: return 0
        case .content(let count):
            deliver(bytes, count, exchange)
            return count
        case .end(let count):
            content = .complete
            deliver(bytes, 0, exchange)
            return count
        case .refused(let problem):
            refuseContent(of: exchange, problem)
            return bytes.count
        }
    }

    private func deliver(_ bytes: UnsafeBufferPointer<UInt8>, _ count: Int, _ exchange: StreamExchange) {
        contentPace.add(count)
        if count > 0, !exchange.receive(Array(bytes[..<count])) { setReadsContent(false) }
        if isContentComplete {
            setReadsContent(false)
            exchange.endContent(.complete)
        }
    }
}
