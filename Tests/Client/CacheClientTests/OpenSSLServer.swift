import Certificates
import CLibrary
import TestSupport

/// OpenSSL's test server.
///
/// By default it answers each request with a page that reports whether the connection resumes a session, and closes the
/// connection.
final class OpenSSLServer: Sendable {
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
    /// This end of the server's standard input and of its output.
    private let input: Int32, output: Int32
    /// The URL of the page.
    let url: String

    /// Starts a server; without `-www` it connects its standard input and output with the connection.
    init(_ identity: Identity, _ options: [String] = ["-www"]) throws {
        guard let program = Self.program else { throw Failure(what: "openssl is not installed") }
        folder = try TestFolder([
            "certificate.pem": identity.certificate.pem(), "key.pem": identity.key.pem(),
        ])
        let (input, output) = (try Self.ends(), try Self.ends())
        let files = ["-cert", folder.path + "/certificate.pem", "-key", folder.path + "/key.pem"]
        process = try Self.start(
            [program, "s_server", "-accept", "127.0.0.1:0"] + files + options,
            input: input.reading,
            output: output.writing
        )
        close(input.reading)
        close(output.writing)
        (self.input, self.output) = (input.writing, output.reading)
        guard let port = Self.port(from: output.reading) else {
            throw Failure(what: "openssl does not listen")
        }
        url = "https://127.0.0.1:\(port)/"
    }

    deinit {
        kill(process, SIGKILL)
        waitpid(process, nil, 0)
        close(input)
        close(output)
    }

    /// Writes to the connection.
    func send(_ bytes: [UInt8]) { _ = write(input, bytes, bytes.count) }

    /// Reads a byte of the output, which has what the connection receives after some lines about it; `nil` at the end.
    func receive() -> UInt8? {
        var byte: UInt8 = 0
        return read(output, &byte, 1) == 1 ? byte : nil
    }

    /// Ends the connection without a word.
    func stop() { kill(process, SIGKILL) }

    private static func ends() throws -> (reading: Int32, writing: Int32) {
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { throw Failure(what: "no pipe") }
        // Other programs that are started meanwhile must not hold them.
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        return (ends[0], ends[1])
    }

    private static func start(_ words: [String], input: Int32, output: Int32) throws -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, input, 0)
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
