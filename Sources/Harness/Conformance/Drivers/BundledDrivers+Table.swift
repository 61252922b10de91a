import OriginScript

extension BundledDrivers {
    /// A driver of `fixtures/drivers`.
    struct Row: Sendable {
        /// The driver's name on the command line.
        let name: String
        /// The cache behind it, in Markdown.
        let cache: String
        /// The programs that it needs besides the interpreter or compiler of its language.
        var programs: [RequiredProgram] = []

        /// The row of the tables of documents.
        var row: ReferenceRow { ReferenceRow(name, cache, example: "--subject \(name)") }
    }

    /// The bundled drivers, in the order in which documents list them.
    static let table = [
        Row(
            name: "cachecheck",
            cache: "The client of this package in a process of its own; its clock can be moved"
        ),
        Row(
            name: "chromium",
            cache: "Chromium's, used by `fetch` in a page",
            programs: [RequiredProgram(name: "chromium", package: "chromium", isBrowser: true)]
        ),
        Row(name: "urlsession", cache: "Foundation's `URLSession` with a `URLCache`"),
        Row(name: "hishel", cache: "hishel, for Python's httpx"),
        Row(name: "requests-cache", cache: "requests-cache, for Python's requests"),
        Row(name: "cachecontrol", cache: "CacheControl, for Python's requests"),
        Row(
            name: "curl",
            cache: "None: curl",
            programs: ["curl", "jq"].map { RequiredProgram(name: $0, package: $0) }
        ),
        Row(name: "httpx", cache: "None: Python's httpx"),
        Row(name: "node", cache: "None: Node's `fetch`"),
    ]
}
