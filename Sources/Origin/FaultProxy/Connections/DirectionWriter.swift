import Clocks
import HTTPServing
import MockOrigin
import OriginScript

/// One direction of a connection: performs the steps of messages on it.
///
/// A class, so that the functions of a task that use one do not copy its parts.
final class DirectionWriter: Sendable {
    /// The result of performing steps.
    enum Outcome: Sendable, Hashable {
        case done
        /// The connection is lost.
        case lost
        /// A fault ends the connection.
        case ended(ConnectionEnd)

        /// The journal's word for the end.
        var end: String {
            switch self {
            case .done: "complete"
            case .lost: "client gone"
            case .ended(let end): end.rawValue
            }
        }
    }
    let stream: DuplexStream
    let line: NetworkLine
    let injector: FaultInjector
    /// Released when the client has hung up.
    let gone: Hold

    init(
        _ stream: DuplexStream,
        _ direction: NetworkProfile.Direction,
        name: String,
        _ injector: FaultInjector,
        gone: Hold
    ) {
        self.stream = stream
        self.injector = injector
        self.gone = gone
        line = NetworkLine(stream, direction, name: name, gone: gone, clock: injector.clock)
    }

    /// Performs steps; `label` is what a release is for.
    func perform(
        _ steps: [RawReply.Step],
        _ opening: NetworkProfile.Opening = .nothing,
        label: String = ""
    ) async -> Outcome {
        var opening = opening
        for step in steps {
            var isPassed = true
            switch step {
            case .write(let bytes):
                isPassed = await write(bytes, opening)
                opening = .nothing
            case .produce(let producer):
                isPassed = await write(producer, opening)
                opening = .nothing
            case .wait(let time): isPassed = await pause { await pass(time) }
            // Each has its own release, even if the steps share a hold.
            case .hold: isPassed = await pause { await waitForRelease(label) }
            case .pause(let time):
                isPassed = await pause {
                    if let time = time() { await pass(time) } else { await waitForHangUp() }
                }
            case .end(let ending):
                guard let end = ConnectionEnd(ending) else { return .done }
                _ = await line.flush()
                return .ended(end)
            // These are of a server's connections.
            case .input, .hello, .expectTLS, .decide: break
            }
            if !isPassed { return .lost }
        }
        return .done
    }

    private func write(_ producer: ContentProducer, _ opening: NetworkProfile.Opening) async -> Bool {
        var (rest, opening) = (producer, opening)
        while rest.count > 0 {
            let count = min(rest.count, ContentProducer.pieceSize)
            guard let bytes = rest.bytes(0..<count), await write(bytes, opening) else { return false }
            rest = rest.dropFirst(count)
            opening = .nothing
        }
        return true
    }

    /// Waits as long as the network takes for a request that is not passed on; false if the task was cancelled.
    func awaitRequest(of count: Int, _ opening: NetworkProfile.Opening) async -> Bool {
        guard let link = injector.link else { return true }
        return await pass(line.requestTime(count, over: link, opening))
    }

    /// Writes bytes unchanged.
    func write(_ bytes: ArraySlice<UInt8>, _ opening: NetworkProfile.Opening = .nothing) async -> Bool {
        if let link = injector.link { return await line.write(bytes, over: link, opening) }
        if !line.isIdle, await !line.flush() { return false }
        return await stream.write(bytes)
    }

    /// Ends the direction when everything has been sent.
    func finish() async {
        _ = await line.flush()
        await stream.endWriting()
    }

    // MARK: Waiting

    private func pause(_ wait: () async -> Bool) async -> Bool {
        guard await line.flush() else { return false }
        return await wait()
    }

    private func pass(_ time: Duration) async -> Bool {
        (try? await injector.clock.sleep(for: time)) != nil
    }

    private func waitForRelease(_ label: String) async -> Bool {
        let hold = Hold()
        injector.park(at: hold, label: label)
        return await Waiting.forFirst([.release(of: hold), .release(of: gone)])
    }

    private func waitForHangUp() async -> Bool {
        _ = await Waiting.forFirst([.release(of: gone)])
        return false
    }
}
