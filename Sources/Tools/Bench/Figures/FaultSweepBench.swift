import CacheClient
import CacheStorage
import Clocks
import MockOrigin
import OriginScript

/// `fault-sweep`: a reset and a close at every byte of a response of 600 bytes, against the client.
///
/// `FaultSweepTests` checks each outcome; here only the time is measured, and that no response is short.
enum FaultSweepBench {
    private static let size = 600
    private static let contentSize = 482

    static func run() async throws -> Figure {
        let clock = SystemClock()
        let routes = (0...size).flatMap { [route(.close, $0), route(.reset, $0)] }
        let server = try MockServer.started(routes: routes, clock: clock)
        defer { server.stop() }
        let store = try CacheStore(CacheStore.Configuration(), clock: clock)
        let client = CachingClient(store: store, transport: try CurlTransport(), clock: clock)
        let started = Samples.now()
        var wrong = 0
        for route in routes {
            let request = ClientRequest(url: server.url + route.path.description)
            let body = try? await client.fetch(request).body
            if let body, body.count != contentSize { wrong += 1 }
        }
        let seconds = Double(Samples.now() - started) / 1e9
        guard wrong == 0 else {
            throw Failure(status: 70, text: "\(wrong) incomplete bodies were treated as complete")
        }
        return Figure(.faultSweep, seconds, note: "\(routes.count) cases")
    }

    private static func route(_ action: FaultAction, _ byte: Int) -> Route {
        let head = size - contentSize
        var answer = Answer(fields: ["Cache-Control": "max-age=3600", "ETag": "\"v1\""])
        answer.body = .generated(size: contentSize)
        answer.faults = [
            byte < head ? Fault(action, at: .head, byte: byte) : Fault(action, at: .body, byte: byte - head)
        ]
        return Route(.exact("/\(action.kind.rawValue)/\(byte)"), answer)
    }
}
