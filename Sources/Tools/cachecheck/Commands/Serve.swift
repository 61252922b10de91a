import Addresses
public import ArgumentParser
import Certificates
import CLibrary
import Clocks
import FaultProxy
import HTTPServing
import LocatedYAML
public import MockOrigin
public import OriginScript
import Recording
import ReportFormats

extension SuiteDialect: ExpressibleByArgument {}
extension PageMatching: ExpressibleByArgument {}

/// `cachecheck serve`.
struct Serve: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Serve the mock origin's pages, or a folder as a site, until Ctrl-C.",
        discussion: """
            With a folder, its files are served, and its site.yaml or routes.yaml (or .json, or files in routes/) defines \
            routes; fixtures/README.md is the reference. With --upstream, everything else is passed to another server. Changes take effect at once; an invalid file is rejected \
            with file:line:column, and the previous site stays active.

            Pages: /get, /post, /image, /fetchMockData; GET / lists them with their settings, GET /journal shows the \
            last exchanges. The query sets a page's response, for example \
            /get?cache-control=max-age=60&etag="v1"&delay=200ms.

            Exit status: 0 after Ctrl-C, 64 usage, 65 a bad file, 69 it could not start, 70 the file of --decisions could \
            not be written.
            """
    )

    @Argument(help: ArgumentHelp("Folder to serve.", valueName: "DIR"))
    var folder: String?

    @Option(
        name: .long,
        help: ArgumentHelp("Port to listen on; 0 selects a free one. (default: 8090)", valueName: "N"),
        transform: portNumber
    )
    var port: UInt16 = 8090

    @Option(name: .long, help: ArgumentHelp("IP address to listen on.", valueName: "ADDR"))
    var listen = "127.0.0.1"

    @Option(
        name: .long,
        help: ArgumentHelp("Site file in YAML or JSON: routes, and settings by page.", valueName: "FILE")
    )
    var config: String?

    @Option(
        name: .long,
        help: ArgumentHelp("HTTP archive (HAR 1.2) to replay instead of a folder.", valueName: "FILE")
    )
    var har: String?

    @Option(
        name: .long,
        help: ArgumentHelp("Number of exchanges that the journal keeps. (default: 1000)", valueName: "N")
    )
    var journal: Int?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "How pages match: path (exact), or contained (any URL that contains the page's path).",
            valueName: "RULE"
        )
    )
    var pageMatching = PageMatching.path

    @Option(name: .long, help: ArgumentHelp("Maximum size of request content, in bytes.", valueName: "N"))
    var contentLimit = 16 << 20

    @Option(
        name: .customLong("cache-tests"),
        defaultAsFlag: WrittenChoice(.compatible),
        // The default, scanning, misses the value after "=" if another option follows.
        parsing: .next,
        help: ArgumentHelp(
            "Serve the wire protocol of http-tests/cache-tests instead of the pages: /config, /test, /state. "
                + "Bugs of the suite's own server that affect results are reproduced unless DIALECT is strict. "
                + "Can be combined with --tls and the limits, but not with options for pages, faults, networks or the control API.",
            valueName: "DIALECT"
        )
    )
    var cacheTests: WrittenChoice<SuiteDialect>?

    @OptionGroup(title: "Upstream")
    var passing: PassingOptions

    @OptionGroup(title: "Limits")
    var limits: LimitOptions

    @OptionGroup(title: "Control API")
    var control: ControlOptions

    func validate() throws {
        try cacheTests?.validate("--cache-tests", hint: "with it, no folder is served")
        if cacheTests != nil, let other = otherThanSuite {
            throw ValidationError("found both --cache-tests and \(other), expected only one of them")
        }
        if har != nil, let other = folder.map({ _ in "DIR" }) ?? config.map({ _ in "--config" }) {
            throw ValidationError("found both --har and \(other), expected only one of them")
        }
        if let journal, !(0...1_000_000).contains(journal) {
            throw ValidationError("--journal: found \(journal), expected 0 to 1000000")
        }
        try demand(contentLimit >= 0, "--content-limit: found \(contentLimit), expected 0 or more")
    }

    /// The first option on the command line that the public suite's origin does not support; `nil` if there is none.
    private var otherThanSuite: String? {
        let others = [
            ("DIR", folder != nil), ("--config", config != nil), ("--har", har != nil),
            ("--journal", journal != nil), ("--page-matching", pageMatching != .path),
            ("--control-port", control.port != nil), ("--upstream", passing.upstream != nil),
        ]
        return others.first(where: \.1)?.0 ?? trouble.given
    }

    @OptionGroup(title: "Faults and network")
    var trouble: FaultOptions

    @OptionGroup(title: "HTTPS")
    var tls: TLSOptions

    func run() throws {
        Process.raiseDescriptorLimit()
        if let dialect = cacheTests?.choice { return try serveSuite(dialect) }
        try checkFolder()
        var configuration = serverConfiguration()
        if let har { configuration.site = try replayedSite(har) }
        try trouble.apply(to: &configuration)
        try prepareTLS(&configuration)
        let passer = try passing.start()
        configuration.passer = passer
        let server = MockServer(configuration, clock: clock)
        try follow(server)
        warnOfOthers()
        try orStop(ExitStatus.unavailable, "cachecheck serve: ") { try server.start() }
        let hasSite = folder != nil || har != nil
        let secure = try tls.summary(of: server, configuration, path: hasSite ? "/" : "/get")
        let controlGreeting = try startControl(server)
        Process.catchEnd()
        announce(greeting(server.url) + trouble.summary + secure)
        if let controlGreeting { announce(controlGreeting) }
        Process.waitForEnd()
        server.stop()
        passer?.stop()
        print("Stopped.")
    }

    /// The system clock; with a control API, one that can be moved forward.
    private var clock: any TimeSource {
        control.port == nil ? SystemClock() : MovableClock(following: SystemClock())
    }

    /// Starts the control API and returns its greeting; `nil` if none is wanted.
    private func startControl(_ server: MockServer) throws -> String? {
        guard let configuration = control.configuration(limits) else { return nil }
        return try orStop(ExitStatus.unavailable, "cachecheck serve: ") {
            let api = try server.startControl(configuration)
            return ControlOptions.greeting(
                url: api.url,
                token: api.token,
                examples: ["\(api.url)/routes"],
                hasPage: true
            )
        }
    }

    private func prepareTLS(_ configuration: inout MockServer.Configuration) throws {
        try orStop(ExitStatus.unavailable, "cachecheck serve: ") { try tls.apply(to: &configuration) }
    }

    private func serveSuite(_ dialect: SuiteDialect) throws {
        var configuration = serverConfiguration()
        try prepareTLS(&configuration)
        warnOfOthers()
        configuration.suite = dialect
        let server = MockServer(configuration, clock: SystemClock())
        try orStop(ExitStatus.unavailable, "cachecheck serve: ") { try server.start() }
        let secure = try tls.summary(of: server, configuration, path: "/state/ID")
        Process.catchEnd()
        announce(
            "Listening on \(server.url) (Ctrl-C stops) for the client of http-tests/cache-tests, "
                + "\(dialect.rawValue): PUT /config/ID, /test/ID, /state/ID." + secure
        )
        Process.waitForEnd()
        server.stop()
        print("Stopped.")
    }

    private func announce(_ text: String) {
        print(text)
        // A pipe is buffered otherwise.
        fflush(nil)
    }

    private func serverConfiguration() -> MockServer.Configuration {
        var configuration = MockServer.Configuration(port: Int(freeIfZero: port))
        configuration.server.address = listen
        configuration.server.contentLimitBytes = contentLimit
        limits.apply(to: &configuration.server)
        if let journal { configuration.journalSize = journal }
        configuration.fixtureFolder = folder ?? config.map { _ in "." }
        configuration.pageMatching = pageMatching
        return configuration
    }

    /// Returns the site of an archive.
    private func replayedSite(_ path: String) throws -> Site {
        let text = try requiredText(path)
        return try orStop(ExitStatus.badFile) {
            let exchanges = try HARFile.exchanges(text, file: path) { complain("left out: \($0)") }
            if exchanges.isEmpty { complain("warning: \(path) has nothing to replay") }
            return try Site.replaying(exchanges)
        }
    }

    private func checkFolder() throws {
        guard let folder, !isFolder(folder) else { return }
        complain("\(folder): found no folder, expected one to serve")
        throw ExitStatus.badFile
    }

    /// Serves the site files, and reloads them when they change.
    private func follow(_ server: MockServer) throws {
        guard folder != nil || config != nil else { return }
        let source = SiteSource(folder: folder, files: config.map { [$0] } ?? [])
        // Each line of the problems begins with file:line:column, which editors recognize.
        try orStop(ExitStatus.badFile) {
            try server.follow(source) { event in
                switch event {
                case .loaded(let count): printError("cachecheck serve: changed, \(counted(count, "route"))")
                case .refused(let problems):
                    let outcome = "the change is rejected; the previous site stays active"
                    printError("\(problems)\ncachecheck serve: \(outcome)")
                }
            }
        }
    }

    private func warnOfOthers() {
        if listen.hasPrefix("127.") || listen == "::1" || IPAddress(listen) == nil { return }
        complain("warning: listening on \(listen), so other machines can access this server")
    }

    private func greeting(_ url: String) -> String {
        if let folder = folder ?? har {
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

    private func complain(_ text: String) { printError("cachecheck serve: \(text)") }
}
