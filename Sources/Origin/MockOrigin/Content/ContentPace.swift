/// The sizes of the pieces in which content is sent, and the waits before them.
struct ContentPace {
    /// Sizes of the pieces; empty sends one piece.
    var chunks: [Int]
    /// Time before each piece.
    var chunkDelay: Duration

    /// Returns the steps that send the content.
    func steps(_ content: Content) -> [ComposedReply.Step] {
        pieces(content).flatMap { piece -> [ComposedReply.Step] in
            let send = ComposedReply.Step.content(piece, chunk: piece.count, endsChunk: true)
            return chunkDelay > .zero ? [.wait(chunkDelay), send] : [send]
        }
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
}
