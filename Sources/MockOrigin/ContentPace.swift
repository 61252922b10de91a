/// In which pieces and after which waits the content is sent.
struct ContentPace {
    /// Sizes of the pieces; empty is one piece.
    var chunks: [Int]
    /// Time before each piece.
    var chunkDelay: Duration
    /// Bytes per second; `nil` is unlimited.
    var rate: Int?

    /// Returns the steps that send the first `limit` bytes of the content, or all of it.
    func steps(_ content: Content, limit: Int?) -> [OriginReply.Step] {
        var steps: [OriginReply.Step] = []
        var left = limit ?? .max
        for piece in pieces(content) where left > 0 {
            if chunkDelay > .zero { steps.append(.wait(chunkDelay)) }
            steps += send(piece, left: &left, total: content.count)
        }
        return steps
    }

    private func pieces(_ content: Content) -> [Content] {
        var rest = content
        var pieces: [Content] = []
        for size in chunks where size > 0 && !rest.isEmpty {
            pieces.append(rest.prefix(size))
            rest = rest.dropFirst(size)
        }
        return rest.isEmpty ? pieces : pieces + [rest]
    }

    private func send(_ piece: Content, left: inout Int, total: Int) -> [OriginReply.Step] {
        var steps: [OriginReply.Step] = []
        var rest = piece
        while !rest.isEmpty, left > 0 {
            let count = min(rateStep(total), rest.count)
            let part = rest.prefix(min(count, left))
            if let rate { steps.append(.wait(.seconds(1) * part.count / max(rate, 1))) }
            let isFirst = rest.count == piece.count
            let endsChunk = part.count == rest.count
            steps.append(.content(part, chunk: isFirst ? piece.count : nil, endsChunk: endsChunk))
            left -= part.count
            rest = rest.dropFirst(part.count)
        }
        return steps
    }

    /// Twenty steps a second, but no more than a thousand for the whole content.
    private func rateStep(_ total: Int) -> Int {
        guard let rate else { return .max }
        return max(rate / 20, total / 1000, 1)
    }
}
