import ArgumentParser
import Clocks
import HTTPServing
import LocatedYAML
import MockOrigin

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Runs the mock server for people.
struct Serve: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Serve the mock origin's pages, or a folder as a site, until Ctrl-C.",
        discussion: """
            With a folder its files are served, and its site.yaml or routes.yaml (or .json, or files in routes/) says \
            what else is answered; fixtures/README.md is the reference. Changes of these files are served at once; \
            a file that is wrong is refused with file:line:column, and what was served before goes on.

            Pages: /get, /post, /image, /fetchMockData; GET / lists them with their settings, GET /journal shows the \
            last exchanges. A page answers as its query says, for example \
            /get?cache-control=max-age=60&etag="v1"&delay=200ms.
            """
    )

    @Argument(help: ArgumentHelp("Folder to serve.", valueName: "DIR"))
    var folder: String?

    @Option(name: .long, help: ArgumentHelp("Port to listen on; 0 is any free one.", valueName: "N"))
    var port: UInt16 = 8090

    @Option(name: .long, help: ArgumentHelp("Numeric address to listen on.", valueName: "ADDR"))
    var listen = "127.0.0.1"

    @Option(
        name: .long,
        help: ArgumentHelp("Site file in YAML or JSON: routes, and settings by page.", valueName: "FILE")
    )
    var config: String?

    @Option(name: .long, help: ArgumentHelp("How many exchanges the journal keeps.", valueName: "N"))
    var journal = 1000

    @Option(name: .long, help: ArgumentHelp("Largest request content in bytes.", valueName: "N"))
    var bodyLimit = 16 << 20

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
        try checkFolder()
        let server = MockServer(serverConfiguration(), clock: SystemClock())
        try follow(server)
        warnOfOthers()
        do {
            try server.start()
        } catch {
            complain(error.description)
            throw ExitCode(69)
        }
        // One that is piped would see nothing before the buffer is full.
        print(greeting(port: server.port))
        fflush(nil)
        Process.waitForEnd()
        server.stop()
        print("Stopped.")
    }

    private func serverConfiguration() -> MockServer.Configuration {
        var configuration = MockServer.Configuration(port: port)
        configuration.server.address = listen
        configuration.server.bodyLimitBytes = bodyLimit
        configuration.journalSize = journal
        configuration.fixtureFolder = folder ?? config.map { _ in "." }
        return configuration
    }

    private func checkFolder() throws {
        guard let folder else { return }
        var status = stat()
        guard stat(folder, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else {
            complain("\(folder): found no folder, expected one to serve")
            throw ExitCode(65)
        }
    }

    /// Serves what the files say, and what they say later.
    private func follow(_ server: MockServer) throws {
        guard folder != nil || config != nil else { return }
        let source = SiteSource(folder: folder, files: config.map { [$0] } ?? [])
        do throws(YAMLProblems) {
            try server.follow(source) { event in
                switch event {
                case .loaded(let count): Self.tell("cachecheck serve: changed, \(count) routes")
                case .refused(let problems):
                    Self.tell(
                        "\(problems)\ncachecheck serve: the change is refused, the site before it is served"
                    )
                }
            }
        } catch {
            // Each line begins with its place in the file, which editors jump to.
            Self.tell(error.description)
            throw ExitCode(65)
        }
    }

    private func warnOfOthers() {
        if listen.hasPrefix("127.") || listen == "::1" { return }
        complain("warning: listening on \(listen), other machines can ask this server")
    }

    private func greeting(port: UInt16) -> String {
        let host = listen.contains(":") ? "[\(listen)]" : listen
        let url = "http://\(host):\(port)"
        if let folder {
            return """
                Serving \(folder) on \(url) (Ctrl-C stops). Try:
                  curl -i '\(url)/'
                  curl '\(url)/journal'
                """
        }
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

    private func complain(_ text: String) {
        Self.tell("cachecheck serve: \(text)")
    }

    private static func tell(_ text: String) {
        let bytes = Array("\(text)\n".utf8)
        _ = write(STDERR_FILENO, bytes, bytes.count)
    }
}
