import Certificates
import CLibrary
import TestSupport

/// OpenSSL's test server, whose page reports whether the connection resumes a session.
///
/// It answers each request with its page and closes the connection.
final class OpenSSLServer {
    /// The server does not run.
    struct Failure: Error {
        var what: String
    }
    /// The program's path; `nil` if it is not installed.
    static let program: String? = {
        let folders = (getenv("PATH").map { String(cString: $0) } ?? "").split(separator: ":")
        return folders.map { "\($0)/openssl" }.first { access($0, X_OK) == 0 }
    }()
    private let process: pid_t
    private let folder: TestFolder
    /// The URL of the page.
    let url: String

    init(_ identity: Identity) throws {
        guard let program = Self.program else { throw Failure(what: "openssl is not installed") }
        folder = try TestFolder([
            "certificate.pem": identity.certificate.pem(), "key.pem": identity.key.pem(),
        ])
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { throw Failure(what: "no pipe") }
        defer { close(ends[0]) }
        process = try Self.start(
            [
                program, "s_server", "-accept", "127.0.0.1:0", "-www", "-cert",
                folder.path + "/certificate.pem",
                "-key", folder.path + "/key.pem",
            ],
            output: ends[1]
        )
        close(ends[1])
        guard let port = Self.port(from: ends[0]) else { throw Failure(what: "openssl does not listen") }
        url = "https://127.0.0.1:\(port)/"
    }

    deinit {
        kill(process, SIGKILL)
        waitpid(process, nil, 0)
    }

    private static func start(_ words: [String], output: Int32) throws -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_adddup2(&actions, output, 1)
        posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
        var pointers: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
        defer { pointers.forEach { free($0) } }
        var process = pid_t()
        guard posix_spawn(&process, words[0], &actions, nil, &pointers, environ) == 0 else {
            throw Failure(what: "\(words[0]) does not run")
        }
        return process
    }

    /// Reads up to the line `ACCEPT 127.0.0.1:PORT`.
    private static func port(from descriptor: Int32) -> UInt16? {
        var text = ""
        var byte: UInt8 = 0
        while read(descriptor, &byte, 1) == 1 {
            guard byte == UInt8(ascii: "\n") else {
                text.unicodeScalars.append(Unicode.Scalar(byte))
                continue
            }
            if text.hasPrefix("ACCEPT "), let port = text.split(separator: ":").last { return UInt16(port) }
            text = ""
        }
        return nil
    }
}
