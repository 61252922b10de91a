import CacheClient
import CacheStorage
import Certificates
import CLibrary
import HTTPServing

/// The versions that a run used.
enum Versions {
    /// Versions of this program, of the compiler, of the system and of the C libraries that affect what is sent and stored.
    static let all = [
        "cachecheck \(CacheCheck.version), commit \(builtCommit)", compiler, system,
        HTTPServer.libraryVersion,
        CurlTransport.libraryVersion, CacheStore.libraryVersion, CertificateAuthority.libraryVersion,
    ]

    private static var compiler: String {
        #if swift(>=6.3)
            "Swift 6.3 or later"
        #else
            "Swift 6.2"
        #endif
    }

    private static var system: String {
        var name = utsname()
        guard uname(&name) == 0 else { return "unknown system" }
        return withUnsafeBytes(of: name.sysname) { text($0) } + " "
            + withUnsafeBytes(of: name.release) { text($0) }
            + " " + withUnsafeBytes(of: name.machine) { text($0) }
    }

    private static func text(_ bytes: UnsafeRawBufferPointer) -> String {
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
}
