import CLibrary

/// `audit`: a site on loopback without rate limit, and a large archive; each by `cachecheck audit` as a process.
enum AuditBench {
    private static let urls = 200
    private static let archiveEntries = 10_000

    static func run(_ options: Options, _ report: (Figure) -> Void) throws(Failure) {
        let folder = try Scratch()
        defer { folder.remove() }
        if options.wants("audit-site") { try site(options, folder).forEach(report) }
        if options.wants("audit-archive") { report(try archive(options, folder)) }
    }

    // MARK: A site

    /// Returns the figures of audits of a site; the second one is of contents that together are 40 times as large as the
    /// goal.
    private static func site(_ options: Options, _ folder: Scratch) throws(Failure) -> [Figure] {
        let small = try audit(options, folder, size: "2KiB")
        let large = try audit(options, folder, size: "1MiB")
        let ofSmall = "\(urls) URLs of 2 KiB with all probes, peak \(Figure.text(small.peakMiB)) MiB"
        let ofLarge = "more for \(urls) URLs of 1 MiB, \(Figure.text(large.seconds)) s"
        return [
            Figure(.auditSite, small.seconds, note: ofSmall),
            Figure(.auditSiteMemory, large.peakMiB - small.peakMiB, note: ofLarge),
        ]
    }

    private static func audit(_ options: Options, _ folder: Scratch, size: String) throws(Failure) -> Run {
        let routes = """
            - path: /*
              answer: {content-type: text/css, cache-control: max-age=600, etag: md5, ranges: true, gzip: true, body: {size: \(size)}}
            """
        let file = try folder.write("site.yaml", routes)
        let port = Processes.freePort()
        let program = "\(options.programs)/cachecheck"
        let server = try Processes.start(program, ["serve", "--config", file, "--port", "\(port)"])
        defer { Processes.end(server) }
        try Processes.awaitListener(port: port)
        let lines = (0..<urls).map { "http://127.0.0.1:\(port)/style-\($0).css\n" }.joined()
        let list = try folder.write("urls.txt", lines)
        return try Run(
            program,
            ["audit", "--urls", list, "--per-second", "0", "--concurrent", "8", "--max-requests", "100000"]
        )
    }

    // MARK: An archive

    private static func archive(_ options: Options, _ folder: Scratch) throws(Failure) -> Figure {
        let entries = (0..<archiveEntries).map(entry).joined(separator: ",\n")
        let file = try folder.write("large.har", "{\"log\": {\"entries\": [\n\(entries)]}}")
        let run = try Run("\(options.programs)/cachecheck", ["audit", "--har", file])
        let note = "\(archiveEntries) entries, peak \(Figure.text(run.peakMiB)) MiB"
        return Figure(.auditArchive, run.seconds, note: note)
    }

    private static let controls = [
        "public, max-age=600", "no-cache", "private, max-age=60, stale-while-revalidate=60", "no-store",
        "max-age=31536000, immutable",
    ]

    /// Returns an entry with the fields that browsers and servers usually send.
    private static func entry(_ number: Int) -> String {
        let request = fields([
            ("Accept", "*/*"), ("Accept-Encoding", "gzip, deflate, br, zstd"), ("Accept-Language", "en"),
            ("Cookie", "session=\(number)"), ("User-Agent", "Mozilla/5.0 (X11; Linux x86_64)"),
        ])
        let response = fields([
            ("Date", "Mon, 21 Sep 2026 12:00:00 GMT"), ("Content-Type", "text/css"), ("Server", "nginx"),
            ("Content-Length", "\(number)"), ("Cache-Control", controls[number % controls.count]),
            ("ETag", "\\\"\(number)\\\""), ("Last-Modified", "Mon, 14 Sep 2026 12:00:00 GMT"),
            ("Vary", "Accept-Encoding"), ("Strict-Transport-Security", "max-age=31536000"),
            ("X-Content-Type-Options", "nosniff"),
        ])
        return """
            {"startedDateTime": "2026-09-21T12:00:00Z", "time": 12,
             "request": {"method": "GET", "url": "https://host\(number % 20).example/\(number).css", "headers": [\(request)]},
             "response": {"status": 200, "headers": [\(response)], "content": {"size": \(number)}},
             "timings": {"send": 0, "wait": 11, "receive": 1}}
            """
    }

    private static func fields(_ fields: [(String, String)]) -> String {
        fields.map { "{\"name\": \"\($0.0)\", \"value\": \"\($0.1)\"}" }.joined(separator: ", ")
    }

    /// A process from its start to its end.
    private struct Run {
        let seconds: Double
        let peakMiB: Double

        init(_ program: String, _ arguments: [String]) throws(Failure) {
            let started = Samples.now()
            let process = try Processes.start(program, arguments)
            var (status, usage) = (Int32(0), rusage())
            while wait4(process, &status, 0, &usage) < 0, errno == EINTR {}
            guard status == 0 else {
                throw Failure(status: 70, text: "cachecheck audit ended with \(status >> 8)")
            }
            seconds = Double(Samples.now() - started) / 1e9
            peakMiB = Double(usage.ru_maxrss) / 1024
        }
    }
}
