import Clocks
import HTTPServing
import Locks

/// Answers `/prepared`, `/chunked`, `/empty` and `/much` from prepared responses, `/park` after a hold, `/large` with
/// 8 MiB, and everything else with `raw`.
final class TestHandler: RequestHandler {
    let clock = VirtualClock(wallSeconds: 0)
    let hold = Hold()
    let seen = Lock<[ServedRequest]>([])
    let ends = Lock<[ExchangeEnd]>([])
    let parked = Lock(0)
    /// The reported numbers of completely answered requests before a cut-off prepared response.
    let cut = Lock<[Int]>([])
    private let prepared = [
        "/prepared": prepare("ready", isChunked: false),
        "/chunked": prepare("ready", isChunked: true),
        "/empty": prepare("", isChunked: true),
        "/much": prepare(String(repeating: "x", count: 8 << 20), isChunked: false),
    ]

    /// Starts a server with this handler.
    func server(_ change: (inout HTTPServer.Configuration) -> Void = { _ in }) throws -> HTTPServer {
        var configuration = HTTPServer.Configuration()
        change(&configuration)
        let server = HTTPServer(configuration, handler: self)
        try server.start()
        return server
    }

    private static func prepare(_ body: String, isChunked: Bool) -> PreparedResponse? {
        let kind = ServedField("X-Kind", "prepared")
        return PreparedResponse(status: 200, fields: [kind], body: Array(body.utf8), isChunked: isChunked)
    }

    func preparedResponse(for head: RequestHead) -> PreparedResponse? {
        prepared[String(decoding: head.target, as: UTF8.self)] ?? nil
    }

    func preparedWasCut(connection: UInt64, after whole: Int) { cut.withLock { $0.append(whole) } }

    func reply(to request: ServedRequest) -> RawReply {
        seen.withLock { $0.append(request) }
        let bytes = Array("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nraw".utf8)
        let wait: [RawReply.Step] = request.target == "/park" ? [.hold(hold)] : []
        let large: [RawReply.Step] =
            request.target == "/large" ? [.write([UInt8](repeating: 0x78, count: 8 << 20)[...])] : []
        let isLarge = request.target == "/large"
        let ending = isLarge ? RawReply.Ending.close : .keepAlive
        let steps = isLarge ? large : wait + [.write(bytes[...])]
        return RawReply(steps, ending: ending, clock: clock, observer: TestObserver(handler: self))
    }

    func refusal(of request: ServedRequest, for problem: RequestProblem) -> RawReply {
        let text = "HTTP/1.1 \(problem.status) \(problem)\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
        return RawReply([.write(Array(text.utf8)[...])], ending: .drainAndClose, clock: clock)
    }
}

/// Counts what happens to exchanges.
struct TestObserver: ExchangeObserver {
    let handler: TestHandler

    func exchangeBegan(_ exchange: RawExchange) {}

    func exchangeParked() { handler.parked.withLock { $0 += 1 } }

    func exchangeEnded(_ end: ExchangeEnd, bytesSent: Int) {
        handler.ends.withLock { $0.append(end) }
    }
}
