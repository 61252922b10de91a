import ArgumentParser
import Conformance

/// The cache under test, as given on the command line.
struct SubjectChoice: ExpressibleByArgument, CustomStringConvertible {
    enum Choice: Hashable {
        case builtin
        case proxy(String)
        case forwardProxy(String)
        case known(KnownProxy)
        /// A shell command.
        case driver(String)
        /// A bundled driver, by name.
        case bundled(String)
    }
    let choice: Choice
    let description: String

    static let builtin = SubjectChoice(.builtin, "builtin")

    private init(_ choice: Choice, _ description: String) {
        self.choice = choice
        self.description = description
    }

    init?(argument: String) {
        let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(
            String.init
        )
        guard let choice = parts.count == 2 ? Self.choice(parts[0], parts[1]) : Self.choice(argument) else {
            return nil
        }
        self.init(choice, argument)
    }

    private static func choice(_ kind: String, _ value: String) -> Choice? {
        switch SubjectForm(rawValue: kind) {
        case .proxy: URLBase(argument: value).map { .proxy($0.text) }
        case .forwardProxy: URLBase(argument: value).map { .forwardProxy($0.text) }
        case .driver: value.allSatisfy(\.isWhitespace) ? nil : .driver(value)
        // A browser's driver has the browser's name.
        case .browser: browsers.contains(value) ? .bundled(value) : nil
        case .builtin, nil: nil
        }
    }

    private static let browsers = ["chromium"]

    private static func choice(_ name: String) -> Choice? {
        if SubjectForm(rawValue: name) == .builtin { return .builtin }
        if let proxy = KnownProxy(named: name) { return .known(proxy) }
        return BundledDrivers.names.contains(name) ? .bundled(name) : nil
    }

    /// Whether the subject is a cache at an address, with this command as its origin.
    var forwardsToUs: Bool {
        if case .proxy = choice { true } else { false }
    }

    /// Starts the subject and its handshake; ends the command with a message if that fails.
    func resolved() throws -> RunOptions.Subject {
        try orStop(ExitStatus.unavailable, "The subject \(self) cannot be used: ") { try found() }
    }

    /// Starts the subject and its handshake.
    func found() throws(SubjectError) -> RunOptions.Subject {
        switch choice {
        case .builtin: return .builtin
        case .proxy(let url): return .proxy(url)
        case .forwardProxy(let url): return .forwardProxy(url)
        case .known(let proxy):
            try proxy.requireInstalled()
            return .known(proxy)
        case .driver(let command): return .driver(try Driver(greeting: BundledDrivers.shell(command)))
        case .bundled(let name): return .driver(try Driver(greeting: BundledDrivers.command(name)))
        }
    }
}
