import CLibrary
import FoundationEssentials
import LocatedYAML

/// A headless Chromium with one page, controlled over a pipe by the DevTools protocol.
package final class Browser {
    /// The browser does not run, or returns an error.
    package struct Failure: Error {
        package var what: String
    }
    /// The path of Chromium; `nil` if it is not installed.
    package static let path: String? = {
        let folders = (getenv("PATH").map { String(cString: $0) } ?? "").split(separator: ":")
        let places = ["chromium", "chromium-browser", "google-chrome"].flatMap { name in
            folders.map { "\($0)/\(name)" }
        }
        return places.first { access($0, X_OK) == 0 }
    }()
    private let process: pid_t
    private let input: Int32
    private let output: Int32
    private let profile: TestFolder
    private var received: [UInt8] = []
    private var count = 0
    private var session: String?

    package init() throws {
        guard let path = Self.path else { throw Failure(what: "no Chromium") }
        profile = try TestFolder()
        let arguments = [
            path, "--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-extensions",
            "--user-data-dir=" + profile.path, "--remote-debugging-pipe", "--window-size=1280,1400",
            "about:blank",
        ]
        (process, input, output) = try Self.start(path, arguments, temporaryFolder: profile.path)
        let target = try call("Target.createTarget", #"{"url":"about:blank"}"#).value(of: "targetId")
        let attach = "{\"targetId\":\"\(target?.scalarText ?? "")\",\"flatten\":true}"
        session = try call("Target.attachToTarget", attach).value(of: "sessionId")?.scalarText
        _ = try call("Page.enable", "{}")
    }

    deinit {
        _ = try? send("Browser.close", "{}")
        CLibrary.close(input)
        CLibrary.close(output)
        // Kills all of its processes before their folder is removed.
        kill(-process, SIGKILL)
        waitpid(process, nil, 0)
    }

    /// Loads a page and waits until it is loaded.
    package func open(_ url: String) throws {
        _ = try call("Page.navigate", "{\"url\":\"\(url)\"}")
        try wait(until: "document.readyState === 'complete'")
    }

    /// Emulates a window of a size in pixels and a preferred colour scheme, without motion.
    package func emulate(width: Int, height: Int, isDark: Bool) throws {
        let size = "{\"width\":\(width),\"height\":\(height),\"deviceScaleFactor\":1,\"mobile\":false}"
        _ = try call("Emulation.setDeviceMetricsOverride", size)
        let scheme = "{\"name\":\"prefers-color-scheme\",\"value\":\"\(isDark ? "dark" : "light")\"}"
        let motion = #"{"name":"prefers-reduced-motion","value":"reduce"}"#
        _ = try call("Emulation.setEmulatedMedia", "{\"features\":[\(scheme),\(motion)]}")
    }

    /// Returns the value of an expression in the page, as text.
    package func evaluate(_ expression: String) throws -> String {
        let result = try call(
            "Runtime.evaluate",
            "{\"expression\":\(Self.quoted(expression)),\"returnByValue\":true,\"awaitPromise\":true}"
        )
        if let problem = result.value(of: "exceptionDetails") {
            throw Failure(what: "\(expression): \(problem)")
        }
        return result.value(of: "result")?.value(of: "value")?.scalarText ?? ""
    }

    /// Waits until an expression in the page is true, checked whenever the page is drawn or changes.
    package func wait(until condition: String) throws {
        let promise = """
            new Promise((done) => {
              const look = () => (\(condition)) ? done("yes") : setTimeout(look, 10);
              setTimeout(() => done(document.body.innerText), 60000);
              look();
            })
            """
        let result = try evaluate(promise)
        if result != "yes" { throw Failure(what: "not \(condition) in: \(result)") }
    }

    /// Writes a screenshot of the page as a PNG.
    package func screenshot(_ path: String) throws {
        let answer = try text(of: send("Page.captureScreenshot", #"{"captureBeyondViewport":true}"#))
        guard let start = answer.firstRange(of: "\"data\":\""),
            let data = Data(base64Encoded: String(answer[start.upperBound...].prefix { $0 != "\"" }))
        else { throw Failure(what: "no screenshot") }
        try data.write(to: URL(fileURLWithPath: path))
    }

    // MARK: The protocol

    private func call(_ method: String, _ parameters: String) throws -> YAMLNode {
        let answer = try YAMLNode.parse(json: text(of: send(method, parameters)), file: method)
        guard let result = answer.value(of: "result") else { throw Failure(what: "\(method): \(answer)") }
        return result
    }

    private func send(_ method: String, _ parameters: String) throws -> Int {
        count += 1
        let own = session.map { ",\"sessionId\":\"\($0)\"" } ?? ""
        let message = "{\"id\":\(count),\"method\":\"\(method)\",\"params\":\(parameters)\(own)}\0"
        let bytes = Array(message.utf8)
        guard write(input, bytes, bytes.count) == bytes.count else { throw Failure(what: "write") }
        return count
    }

    /// Returns the response to a call; ignores the browser's events.
    private func text(of number: Int) throws -> String {
        while true {
            while let end = received.firstIndex(of: 0) {
                let message = String(decoding: received[..<end], as: UTF8.self)
                received.removeSubrange(...end)
                if message.hasPrefix("{\"id\":\(number),") { return message }
            }
            var ready = pollfd(fd: output, events: Int16(POLLIN), revents: 0)
            guard poll(&ready, 1, 90_000) == 1 else { throw Failure(what: "no answer in 90 s") }
            var bytes = [UInt8](repeating: 0, count: 1 << 16)
            let taken = read(output, &bytes, bytes.count)
            guard taken > 0 else { throw Failure(what: "the browser has ended") }
            received += bytes.prefix(taken)
        }
    }

    private static func quoted(_ text: String) -> String {
        let escaped = text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing(
            "\n",
            with: "\\n"
        )
        return "\"\(escaped)\""
    }

    /// Starts a program whose descriptors 3 and 4 are pipes.
    private static func start(
        _ path: String,
        _ arguments: [String],
        temporaryFolder: String
    ) throws -> (pid_t, Int32, Int32) {
        var down: [Int32] = [0, 0]
        var up: [Int32] = [0, 0]
        guard pipe(&down) == 0, pipe(&up) == 0 else { throw Failure(what: "pipe") }
        // Higher numbers than the given ones, because passing one of these on would close the other.
        let ours = (down + up).map { fcntl($0, F_DUPFD_CLOEXEC, 100) }
        (down + up).forEach { CLibrary.close($0) }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, ours[0], 3)
        posix_spawn_file_actions_adddup2(&actions, ours[3], 4)
        posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETPGROUP))
        var process = pid_t()
        let words = arguments.map { strdup($0) } + [nil]
        let variables = ["PATH", "HOME", "LANG"].compactMap { name in
            getenv(name).map { name + "=" + String(cString: $0) }
        }
        let environment = (variables + ["TMPDIR=" + temporaryFolder]).map { strdup($0) } + [nil]
        defer { (words + environment).forEach { free($0) } }
        let code = posix_spawn(&process, path, &actions, &attributes, words, environment)
        CLibrary.close(ours[0])
        CLibrary.close(ours[3])
        guard code == 0 else { throw Failure(what: "posix_spawn: \(code)") }
        return (process, ours[1], ours[2])
    }
}
