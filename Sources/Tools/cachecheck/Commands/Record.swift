import ArgumentParser
import CacheClient
import CLibrary
import Clocks
import HTTPServing
import Recording

/// `cachecheck record`.
struct Record: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Record an origin's responses as a site that \"cachecheck serve\" replays, until Ctrl-C.",
        discussion: """
            With --upstream, every request is sent to that origin; with --forward, to the host in its absolute \
            target, as through a proxy. DIR receives a file of routes for each resource, and the contents; each exchange \
            is written when it is complete.

            Credentials, cookies and values whose names suggest tokens are removed from fields, queries, forms and JSON, \
            also within gzip and deflate. No other coding is requested from the origin; forms and JSON that use \
            one nevertheless are not recorded. --redact-field, --redact-parameter and --redact-member add names; --keep-secrets disables redaction.

            Exit status: 0 if everything was written, 64 usage, 69 it could not start, 70 something could not be written.
            """
    )

    @Option(
        help: ArgumentHelp("Scheme and authority of the origin, https://host:port.", valueName: "URL"),
        transform: expecting(OriginURL.expected)
    )
    var upstream: OriginURL?

    @Flag(help: "Act as a forward proxy: forward each request to the host in its absolute target.")
    var forward = false

    @Option(help: ArgumentHelp("Output folder: a new one, or one without a site.", valueName: "DIR"))
    var out: String?

    @Option(help: ArgumentHelp("Also write the exchanges as HAR, at the end.", valueName: "FILE"))
    var har: String?

    @Option(
        help: ArgumentHelp("Port to listen on; 0 selects a free one. (default: 8088)", valueName: "N"),
        transform: portNumber
    )
    var port: UInt16 = 8088

    @Option(help: ArgumentHelp("IP address to listen on.", valueName: "ADDR"))
    var listen = "127.0.0.1"

    @OptionGroup(title: "Redaction")
    var redaction: RedactionOptions

    @OptionGroup(title: "TLS to the origin")
    var trust: TrustOptions

    func validate() throws {
        guard (upstream != nil) != forward else {
            let found = forward ? "both" : "neither"
            throw ValidationError("expected either --upstream or --forward, found \(found)")
        }
        try trust.requireTLS(of: upstream?.text)
        try demand(out != nil || har != nil, "found neither --out nor --har, expected one of them")
    }

    func run() throws {
        Process.raiseDescriptorLimit()
        if let har {
            try requireWritable(har, or: ExitStatus.unavailable)
        }
        let recording = try orStop(ExitStatus.unavailable, "cachecheck record: ") {
            try SiteRecording(
                out,
                origin: upstream?.text,
                redaction.redaction,
                command: "record",
                keepsExchanges: har != nil
            )
        }
        let proxy = try makeProxy { recording.write($0) }
        Process.catchEnd()
        print(greeting(url: proxy.url))
        fflush(nil)
        Process.waitForEnd()
        proxy.stop()
        if let summary = recording.summary { print(summary) }
        if let har { try writeHAR(recording.exchanges, to: har) }
        try recording.requireWritten()
    }

    private func makeProxy(_ report: @escaping @Sendable (RecordedEvent) -> Void) throws
        -> RecordingProxy
    {
        let mode = upstream.map { ProxyMode.reverse(origin: $0.text) } ?? .forward
        var configuration = RecordingProxy.Configuration(mode: mode)
        configuration.asksForReadableCodings = !redaction.keepSecrets
        configuration.server.address = listen
        configuration.server.port = Int(freeIfZero: port)
        let policy = try trust.policy()
        let transport = try orStop(ExitStatus.unavailable, "cachecheck record: ") {
            try CurlTransport(connectionsPerHost: 64, trust: policy)
        }
        let proxy = RecordingProxy(configuration, transport: transport, clock: SystemClock(), report: report)
        try orStop(ExitStatus.unavailable, "cachecheck record: ") { try proxy.start() }
        return proxy
    }

    private func greeting(url: String) -> String {
        let example = forward ? "curl -i -x \(url) http://example.com/" : "curl -i \(url)/"
        return """
            Recording \(upstream.map { "\($0.text) " } ?? "")on \(url)\(out.map { " to \($0)" } ?? "") (Ctrl-C ends). Try:
              \(example)
            """
    }
}

/// Writes exchanges, whose secrets have been replaced unless they are to be kept, as an archive.
func writeHAR(_ exchanges: [CapturedExchange], to path: String) throws {
    try orStop(ExitStatus.internalError) {
        try HARFile.write(
            exchanges,
            redaction: Redaction(isOn: false),
            version: CacheCheck.version,
            to: path
        )
    }
}
