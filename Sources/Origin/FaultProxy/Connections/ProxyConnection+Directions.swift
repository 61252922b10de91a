import HTTPServing

/// The two directions of a connection, each passed on by its own task, so that neither waits for the other.
///
/// Between messages there is no task: an idle connection takes little memory.
extension ProxyConnection {
    /// A direction by what passes in it.
    enum Direction: Sendable {
        case requests
        /// The bytes that an upstream sends.
        case responses(from: DuplexStream)
    }
    /// The result of passing on a direction for a while.
    enum Progress: Sendable {
        /// Nothing of a next message has come.
        case idle
        /// Nothing more will be passed on.
        case over
    }

    /// Begins to pass on a direction.
    func start(_ direction: Direction) {
        directionBegan()
        go(on: direction)
    }

    private func go(on direction: Direction) {
        let runs = client.loop.run {
            switch await self.pass(direction) {
            case .idle: self.source(of: direction).whenReadable { self.go(on: direction) }
            case .over: self.directionEnded()
            }
        }
        if !runs { directionEnded() }
    }

    private func source(of direction: Direction) -> DuplexStream {
        switch direction {
        case .requests: client
        case .responses(let upstream): upstream
        }
    }

    private func pass(_ direction: Direction) async -> Progress {
        switch direction {
        case .requests:
            guard await passClient() == .over else { return .idle }
            await upstream?.endWriting()
            return .over
        case .responses(let upstream): return await passResponses(from: upstream)
        }
    }

    private func passClient() async -> Progress {
        switch context.configuration.mode {
        case .http: return await passRequests()
        case .bytes:
            await passBytes()
            return .over
        }
    }
}
