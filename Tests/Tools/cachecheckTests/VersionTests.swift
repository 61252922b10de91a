import Testing
import TestSupport

@Suite("cachecheck --version, as a user runs it", .timeLimit(.minutes(20)), .blocking)
struct VersionTests {
    @Test("It lists the versions of the C libraries, and the workarounds for their defects")
    func libraries() throws {
        let outcome = try Program().run(["--version"])
        #expect(outcome.status == 0)
        let lines = outcome.text.split(separator: "\n")
        for name in ["cachecheck 0.", "libmicrohttpd ", "libcurl ", "SQLite ", "GnuTLS "] {
            #expect(lines.contains { $0.hasPrefix(name) }, "\(name) in \(lines)")
        }
        let libcurl = lines.first { $0.hasPrefix("libcurl ") } ?? ""
        let major = libcurl.dropFirst("libcurl ".count).prefix { $0 != "." }
        // Of version 8 only 8.0 lacks the correction.
        let isOld = major == "7" || libcurl.hasPrefix("libcurl 8.0.")
        #expect(libcurl.contains("(easy handles are not reused: fixed in 8.1.0)") == isOld)
    }
}
