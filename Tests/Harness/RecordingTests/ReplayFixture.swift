import CacheClient
import Clocks
import Locks
import MockOrigin
import OriginScript
import Recording
import TestSupport

/// An origin, a recorder in front of it, and a replay of the recording.
final class ReplayFixture {
    /// 2026-01-01T00:00:00Z.
    static let start = 1_767_225_600.0
    let folder: TestFolder
    private let origin: String
    private let clock = VirtualClock(wallSeconds: start)
    /// The recorded exchanges.
    private(set) var exchanges: [CapturedExchange] = []
    /// Exchanges that were not recorded or could not be written.
    private(set) var problems: [String] = []

    /// Creates a fixture of an origin in the language of site files.
    init(_ origin: String) throws {
        self.origin = origin
        folder = try TestFolder()
    }

    /// Returns the origin's responses, each request on a separate connection.
    func direct(_ requests: [String]) throws -> [String] {
        try Self.answers(requests, of: try SiteFile.decode(origin, file: "site.yaml"))
    }

    /// Records the requests; returns the responses of the recorder's client.
    func record(
        _ requests: [String],
        closingAtLength: Bool = false,
        redaction: Redaction = Redaction(isOn: false),
        _ change: (inout RecordingProxy.Configuration) -> Void = { _ in }
    ) throws -> [String] {
        let server = try Self.server(try SiteFile.decode(origin, file: "site.yaml"), clock)
        defer { server.stop() }
        let writer = try FixtureWriter(folder: folder.path, redaction: redaction)
        let seen = Lock<[CapturedExchange]>([])
        let omitted = Lock<[String]>([])
        var configuration = RecordingProxy.Configuration(mode: .reverse(origin: server.url))
        change(&configuration)
        let proxy = RecordingProxy(configuration, transport: try CurlTransport(), clock: clock) { event in
            switch event {
            case .omitted(let reason): omitted.withLock { $0.append(reason) }
            case .exchange(let exchange):
                seen.withLock { $0.append(exchange) }
                do throws(RecordingError) { try writer.add(exchange) } catch {
                    omitted.withLock { $0.append(error.description) }
                }
            }
        }
        try proxy.start()
        defer { proxy.stop() }
        let answers = try Self.answers(requests, port: proxy.port, closingAtLength)
        (exchanges, problems) = (seen.withLock { $0 }, omitted.withLock { $0 })
        return answers
    }

    /// Returns the responses of the recording, a number of seconds later.
    func replay(_ requests: [String], after seconds: Double = 0) throws -> [String] {
        let server = try Self.replay(folder.path, at: Self.start + seconds)
        defer { server.stop() }
        return try Self.answers(requests, port: server.port)
    }

    /// Starts a server of a folder.
    static func replay(_ folder: String, at wallSeconds: Double) throws -> MockServer {
        var configuration = MockServer.Configuration()
        configuration.fixtureFolder = folder
        let server = MockServer(configuration, clock: VirtualClock(wallSeconds: wallSeconds))
        try server.follow(SiteSource(folder: folder))
        try server.start()
        return server
    }

    /// Returns the responses of a site.
    static func answers(_ requests: [String], of site: Site) throws -> [String] {
        let server = try server(site, VirtualClock(wallSeconds: start))
        defer { server.stop() }
        return try answers(requests, port: server.port)
    }

    private static func server(_ site: Site, _ clock: VirtualClock) throws -> MockServer {
        var configuration = MockServer.Configuration()
        configuration.site = site
        let server = MockServer(configuration, clock: clock)
        try server.start()
        return server
    }

    /// Returns the response to each request, byte for byte, without chunks.
    private static func answers(
        _ requests: [String],
        port: Int?,
        _ closingAtLength: Bool = false
    ) throws -> [String] {
        try requests.map { request in
            let client = try RawClient(port: port)
            if closingAtLength {
                try client.send(request)
                return try client.response().text
            }
            let closing = request.replacing(
                "Host: localhost\r\n",
                with: "Host: localhost\r\nConnection: close\r\n"
            )
            try client.send(closing)
            return Wire.text(try client.readToEnd())
        }
    }

    /// Returns a request as it is sent, from `METHOD target | field line | … | body=content`.
    static func request(_ text: String) -> String {
        var lines = text.components(of: " | ")
        let body = lines.last.flatMap { $0.hasPrefix("body=") ? String($0.dropFirst(5)) : nil } ?? ""
        if !body.isEmpty { lines[lines.count - 1] = "Content-Length: \(body.utf8.count)" }
        lines[0] += " HTTP/1.1"
        lines.insert("Host: localhost", at: 1)
        return lines.joined(separator: "\r\n") + "\r\n\r\n" + body
    }
}

extension String {
    fileprivate func components(of separator: String) -> [String] {
        split(separator: separator, omittingEmptySubsequences: false).map { String($0) }
    }
}
