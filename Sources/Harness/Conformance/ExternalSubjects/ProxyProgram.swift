import CLibrary
import Clocks

/// A known proxy that runs in its own folder and on its own port, in front of an origin on this machine.
final class ProxyProgram: Sendable {
    private static let timeout = Duration.seconds(20)
    private static let attempts = 3
    let process: ChildProcess
    let url: String
    private let folder: ScratchFolder

    /// Starts the proxy and returns when it accepts connections.
    convenience init(_ proxy: KnownProxy, originPort: Int, prefix: [String] = []) throws(SubjectError) {
        var failure = SubjectError("\(proxy.name) cannot be started")
        for _ in 0..<Self.attempts {
            do throws(SubjectError) {
                try self.init(once: proxy, originPort: originPort, prefix: prefix)
                return
            } catch {
                failure = error
            }
        }
        throw failure
    }

    private init(once proxy: KnownProxy, originPort: Int, prefix: [String]) throws(SubjectError) {
        let program = try proxy.installedProgram()
        guard let port = Loopback.freePort().map(Int.init) else {
            throw SubjectError("there is no free port")
        }
        do throws(HarnessProblem) {
            folder = try ScratchFolder(holdsPrograms: true)
        } catch {
            throw SubjectError(error.description)
        }
        let values = KnownProxy.values(folder: folder.path, port: port, originPort: originPort)
        try proxy.fill(folder.path, with: values)
        let log = folder.path + "/output"
        let output = creat(log, 0o644)
        defer { if output >= 0 { close(output) } }
        process = try ChildProcess(
            prefix + [program] + proxy.arguments.map { $0.replacing(values) },
            folder: folder.path,
            streams: .init(output: output < 0 ? nil : output, errors: output < 0 ? nil : output)
        )
        url = "http://127.0.0.1:\(port)"
        try waitUntilReady(proxy, log)
    }

    /// Ends the proxy and removes its folder.
    func end() { process.end() }

    private func waitUntilReady(_ proxy: KnownProxy, _ log: String) throws(SubjectError) {
        let clock = SystemClock()
        let deadline = clock.elapsed + Self.timeout
        let target = SocketTarget(url: url)
        while !target.isListening {
            let ending = process.ending
            if ending == nil, clock.elapsed < deadline {
                poll(nil, 0, 10)
                continue
            }
            let reason = ending.map { "it \($0)" } ?? "it accepts no connections"
            process.end()
            throw SubjectError("\(proxy.name) cannot be started: \(reason)\(Self.end(ofLog: log))")
        }
    }

    private static func end(ofLog path: String) -> String {
        let lines = ProgramFiles.text(path)?.split(whereSeparator: \.isNewline).suffix(3) ?? []
        return lines.isEmpty ? "" : "; it wrote: " + Transcript.printable(lines.joined(separator: " / "))
    }
}

extension KnownProxy {
    /// Name and version: `nginx 1.22.1`.
    public var title: String {
        guard let program = ProgramFiles.find(program),
            let output = ProgramFiles.output(of: "\(program) \(versionFlag) 2>&1"),
            let version = Self.version(in: output)
        else { return name }
        return "\(name) \(version)"
    }

    /// Returns the first number that contains a point.
    static func version(in text: String) -> String? {
        let isPart: (Character) -> Bool = { $0.isASCII && ($0.isNumber || $0 == ".") }
        return text.split { !isPart($0) }.map(String.init).first { part in
            part.contains(".") && part.first?.isNumber == true && part.last?.isNumber == true
        }
    }

    /// Whether the proxy's program is installed.
    public var isInstalled: Bool { ProgramFiles.find(program) != nil }

    /// The program that has to be installed.
    var required: RequiredProgram {
        RequiredProgram(name: program, package: package, versionFlag: versionFlag)
    }

    /// Checks that the program is installed; throws, with instructions to install it, if it is not.
    public func requireInstalled() throws(SubjectError) { _ = try installedProgram() }

    /// Returns the path of the program; throws if it is not installed.
    func installedProgram() throws(SubjectError) -> String {
        if let path = ProgramFiles.find(program) { return path }
        throw SubjectError(
            "\(program) is not installed; apt-get install -y --no-install-recommends \(package) installs it"
        )
    }

    /// Returns the values of the placeholders in arguments and files.
    fileprivate static func values(folder: String, port: Int, originPort: Int) -> [String: String] {
        [
            "@PORT@": "\(port)", "@ORIGIN@": "\(originPort)", "@FOLDER@": folder,
            "@MODULES@": "/usr/lib/apache2/modules",
        ]
    }

    /// Writes the proxy's files into a folder.
    fileprivate func fill(_ folder: String, with values: [String: String]) throws(SubjectError) {
        // A program that is started as root changes to another user.
        chmod(folder, 0o777)
        for name in folders {
            mkdir("\(folder)/\(name)", 0o777)
            chmod("\(folder)/\(name)", 0o777)
        }
        for file in files {
            let text = try DriverFiles.text(file.source)
            try ProgramFiles.write(text.replacing(values), to: "\(folder)/\(file.name)")
        }
    }
}

extension String {
    /// Returns the text with each placeholder replaced by its value.
    fileprivate func replacing(_ values: [String: String]) -> String {
        values.reduce(self) { text, value in text.replacing(value.key, with: value.value) }
    }
}
