import CLibrary
import TestSupport

/// The address of a gateway.
struct GatewayAddress: Sendable, Hashable {
    /// The gateway's number among those on a folder.
    var number = 0
    var port: Int
    var controlPort: Int
}

/// The sizes and the folder of a gateway's cache.
struct GatewaySettings: Sendable {
    var folder: String
    var origin: String
    var diskBytes = 4 << 20
    var memoryBytes = 256 << 10

    fileprivate var arguments: [String] {
        [
            "gateway", "--origin", origin, "--port", "0", "--cache-dir", folder, "--disk-size",
            "\(diskBytes)",
            "--memory-size", "\(memoryBytes)", "--control-port", "0", "--control-token", Self.token,
        ]
    }

    fileprivate static let token = "token-of-the-torture-program-0000"
}

/// A gateway in a separate process.
final class GatewayProcess {
    let address: GatewayAddress
    private let child: ChildProcess

    /// Starts a gateway; `nil` if it is killed before it listens.
    init?(_ settings: GatewaySettings, number: Int = 0, _ environment: [String: String] = [:]) throws(Failure)
    {
        child = try ChildProcess(try Self.program(), settings.arguments, environment)
        guard let port = Self.port(after: "Listening on http://127.0.0.1:", child),
            let controlPort = Self.port(after: "Control API on http://127.0.0.1:", child)
        else {
            guard child.ends(within: 1000) else { throw Failure(text: "a gateway does not listen") }
            guard child.wasKilled else {
                throw Failure(text: "a gateway ends at its start: \(child.problem ?? "exit status 0")")
            }
            return nil
        }
        address = GatewayAddress(number: number, port: port, controlPort: controlPort)
    }

    var isRunning: Bool { child.isRunning }

    /// Kills the gateway; throws if it had already ended in another way.
    func kill() throws(Failure) {
        child.kill()
        guard child.wasKilled else {
            throw Failure(text: "a gateway has ended by itself: \(child.problem ?? "exit status 0")")
        }
    }

    /// Stops the gateway as Ctrl-C does.
    func stop() throws(Failure) {
        guard child.stop(within: 15) else {
            throw Failure(text: "a gateway does not end when it is asked to")
        }
        if let problem = child.problem { throw Failure(text: "a gateway that was asked to end: \(problem)") }
    }

    /// Waits for the gateway's end; returns whether that came in time.
    func ends(within milliseconds: Int) -> Bool { child.ends(within: milliseconds) }

    /// Its use of system resources.
    var usage: ProcessUsage { ProcessUsage(of: child.number) }

    /// Returns the path of the program in the same folder as this one.
    private static func program() throws(Failure) -> String {
        var path = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlink("/proc/self/exe", &path, path.count)
        let own = String(decoding: path.prefix(max(count, 0)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
        let name = own.split(separator: "/").dropLast().reduce("") { $0 + "/" + $1 } + "/cachecheck"
        guard access(name, X_OK) == 0 else {
            throw Failure(text: "found no \(name), build the product cachecheck")
        }
        return name
    }

    private static func port(after text: String, _ child: ChildProcess) -> Int? {
        while let line = child.line(within: 20_000_000) {
            guard line.hasPrefix(text) else { continue }
            return Int(line.dropFirst(text.count).prefix { $0.isNumber })
        }
        return nil
    }
}

extension GatewayAddress {
    /// Returns a number of `GET /metrics`, by its name for Prometheus.
    func metric(_ name: String) throws(Failure) -> Int {
        guard let response = control("GET", "/metrics?format=prometheus"), response.status == 200 else {
            throw Failure(text: "the control API does not answer")
        }
        let prefix = "cachecheck_gateway_\(name) "
        let line = response.text.split(separator: "\n").first { $0.hasPrefix(prefix) }
        guard let number = line.flatMap({ Int($0.dropFirst(prefix.count)) }) else {
            throw Failure(text: "there is no metric \(name)")
        }
        return number
    }

    /// Sends a request to the control API; returns `nil` if there is no response.
    func control(_ method: String, _ target: String) -> RawResponse? {
        do {
            let client = try RawClient(port: controlPort)
            try client.request(method, target, ["Authorization: Bearer \(GatewaySettings.token)"])
            return try client.response()
        } catch {
            return nil
        }
    }
}
