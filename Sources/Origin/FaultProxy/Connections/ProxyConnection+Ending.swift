import MockOrigin
import OriginScript

/// Ends connections.
extension ProxyConnection {
    /// Ends both connections as a fault asks for.
    func finish(_ end: ConnectionEnd) async {
        note(end: end.rawValue)
        switch end {
        case .reset:
            // A reset destroys what has not arrived.
            await delivered(client)
            if let upstream { await delivered(upstream) }
            client.reset()
            upstream?.reset()
        case .close:
            client.close()
            upstream?.close()
        case .halfClose:
            await client.endWriting()
            upstream?.close()
            await waitForHangUp()
            client.close()
        }
    }

    /// Ends the connection of the client as a fault asks for, while the upstream's response is read to its end.
    func endClient(_ outcome: DirectionWriter.Outcome) async {
        switch outcome {
        case .ended(.reset):
            await delivered(client)
            client.reset()
        case .ended(.halfClose): await client.endWriting()
        case .ended(.close), .lost: client.close()
        case .done: break
        }
    }

    private func delivered(_ stream: DuplexStream) async {
        for _ in 0..<2000 where stream.unacknowledged > 0 && !stream.hasHungUp {
            guard (try? await context.clock.sleep(for: .milliseconds(1))) != nil else { return }
        }
    }

    /// Waits until the client has hung up, at most for `most`, by default for ever.
    func waitForHangUp(most: Duration? = nil) async {
        _ = await Waiting.forFirst([.release(of: gone)] + (most.map { [.time($0, context.clock)] } ?? []))
    }
}
