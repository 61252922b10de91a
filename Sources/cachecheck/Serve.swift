public import ArgumentParser
import Clocks
import HTTPServing
import LocatedYAML
import MockOrigin
public import PublicSuite

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

extension SuiteDialect: ExpressibleByArgument {}

/// Runs the mock server for people.
struct Serve: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Serve the mock origin's pages until Ctrl-C.",
        discussion: """
            Pages: /get, /post, /image, /fetchMockData; GET / lists them with their settings, GET /journal shows the \
            last exchanges. A page answers as its query says, for example \
            /get?cache-control=max-age=60&etag="v1"&delay=200ms.
            """
    )

    @Option(name: .long, help: ArgumentHelp("Port to listen on; 0 is any free one.", valueName: "N"))
    var port: UInt16 = 8090

    @Option(name: .long, help: ArgumentHelp("Numeric address to listen on.", valueName: "ADDR"))
    var listen = "127.0.0.1"

    @Option(name: .long, help: ArgumentHelp("YAML file with settings by page.", valueName: "FILE"))
    var config: String?

    @Option(name: .long, help: ArgumentHelp("How many exchanges the journal keeps.", valueName: "N"))
    var journal = 1000

    @Option(name: .long, help: ArgumentHelp("Largest request content in bytes.", valueName: "N"))
    var bodyLimit = 16 << 20

    @Option(
        name: .customLong("cache-tests"),
        defaultAsFlag: .compatible,
        help: ArgumentHelp(
            "Speak the wire protocol of http-tests/cache-tests in place of the pages: /config, /test, /state. "
                + "The faults of its own server that decide a verdict are copied unless DIALECT is strict.",
            valueName: "DIALECT"
        )
    )
    var cacheTests: SuiteDialect?

    func validate() throws {
        guard (0...1_000_000).contains(journal) else {
            throw ValidationError("--journal: found \(journal), expected 0 to 1000000")
        }
        guard bodyLimit >= 0 else {
            throw ValidationError("--body-limit: found \(bodyLimit), expected 0 or more")
        }
    }

    func run() throws {
        Process.raiseDescriptorLimit()
        if let cacheTests { return try serveSuite(cacheTests) }
        let server = MockServer(try serverConfiguration(), clock: SystemClock())
        try start { () throws(ServerError) in try server.start() }
        announce(greeting(port: server.port))
        Process.waitForEnd()
        server.stop()
        print("Stopped.")
    }

    private func serveSuite(_ dialect: SuiteDialect) throws {
        let server = SuiteServer(try serverConfiguration().server, dialect: dialect, clock: SystemClock())
        try start { () throws(ServerError) in try server.start() }
        announce(
            "Listening on \(url(port: server.port)) (Ctrl-C stops) for the client of http-tests/cache-tests, "
                + "\(dialect.rawValue): PUT /config/ID, /test/ID, /state/ID."
        )
        Process.waitForEnd()
        server.stop()
        print("Stopped.")
    }

    private func start(_ body: () throws(ServerError) -> Void) throws {
        do {
            try body()
        } catch {
            complain(error.description)
            throw ExitCode(69)
        }
    }

    private func announce(_ text: String) {
        print(text)
        // One that is piped would see nothing before the buffer is full.
        fflush(nil)
    }

    private func serverConfiguration() throws -> MockServer.Configuration {
        var configuration = MockServer.Configuration(port: port)
        configuration.server.address = listen
        configuration.server.bodyLimitBytes = bodyLimit
        configuration.journalSize = journal
        if let config { configuration.pages = try pages(config) }
        return configuration
    }

    private func pages(_ path: String) throws -> [String: [PageSetting]] {
        guard let text = read(path) else {
            complain("\(path): found no readable UTF-8 file, expected a YAML file with settings by page")
            throw ExitCode(65)
        }
        do {
            return try PagesFile.decode(text, file: path)
        } catch {
            // Each line begins with its place in the file, which editors jump to.
            tell(error.description)
            throw ExitCode(65)
        }
    }

    private func read(_ path: String) -> String? {
        guard let file = fopen(path, "r") else { return nil }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = fread(&buffer, 1, buffer.count, file)
            if count == 0 { return ferror(file) == 0 ? String(validating: bytes, as: UTF8.self) : nil }
            bytes += buffer.prefix(count)
        }
    }

    private func greeting(port: UInt16) -> String {
        let url = url(port: port)
        return """
            Listening on \(url) (Ctrl-C stops). Try:
              curl -i '\(url)/get'
              curl -i '\(url)/get?cache-control=max-age=60&etag=%22v1%22'
              curl -i -H 'If-None-Match: "v1"' '\(url)/get?etag=%22v1%22'
              curl -i -d 'name=value' '\(url)/post'
              curl -o image.jpg '\(url)/image'
              curl -i '\(url)/get?delay=2s&status=503'
              curl '\(url)/journal'
              curl '\(url)/'
            """
    }

    private func url(port: UInt16) -> String {
        let host = listen.contains(":") ? "[\(listen)]" : listen
        return "http://\(host):\(port)"
    }

    private func complain(_ text: String) {
        tell("cachecheck serve: \(text)")
    }

    private func tell(_ text: String) {
        let bytes = Array("\(text)\n".utf8)
        _ = write(STDERR_FILENO, bytes, bytes.count)
    }
}
