import ArgumentParser
import Conformance
import HTTPServing

/// The cache under test, and how it reaches the origin.
struct SubjectOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The cache under test: \(ConformanceReference.subjectNames). (default: builtin)",
            valueName: "SUBJECT"
        ),
        transform: expecting(ConformanceReference.subjectNames)
    )
    var subject = SubjectChoice.builtin

    @Option(
        help:
            "Time of subjects outside this process: auto advances their clocks if they support it, virtual runs them under libfaketime, real waits."
    )
    var time = RunOptions.Time.auto

    @Option(
        help: ArgumentHelp("Port of the origin, to which the proxy forwards.", valueName: "N"),
        transform: portNumber
    )
    var originPort: UInt16?

    @Option(help: ArgumentHelp("IP address on which the origin listens.", valueName: "ADDR"))
    var originListen = Self.usualAddress

    private static let usualAddress = "127.0.0.1"

    /// Throws if the subject forwards to a port that is not given, or cannot forward to the one that is.
    func requireOriginPort() throws {
        if subject.forwardsToUs, originPort == nil {
            throw ValidationError(
                "--subject proxy=URL requires --origin-port, the port that the proxy forwards to"
            )
        }
        let isTyped = firstTyped([("--origin-port", originPort != nil)]) != nil
        if subject.choice == .builtin, isTyped {
            throw ValidationError("--origin-port is only for subjects outside this process")
        }
    }

    /// Throws if options of the built-in client are given for another subject, or options of those for it.
    func refuseOthers(_ builtin: [(name: String, isGiven: Bool)]) throws {
        if subject.choice != .builtin { return try refuse(builtin, with: "--subject \(subject)") }
        try refuse([("--time", time != .auto)], with: "the built-in client")
    }

    /// The words of a command line that has these options; those with default values are left out.
    var words: [String] {
        var words = subject.choice == .builtin ? [] : ["--subject", subject.description]
        if time != .auto { words += ["--time", time.rawValue] }
        if let originPort { words += ["--origin-port", "\(originPort)"] }
        if originListen != Self.usualAddress { words += ["--origin-listen", originListen] }
        return words
    }
}

extension RunOptions {
    /// Takes over the options and the subject that they choose.
    mutating func use(_ options: SubjectOptions, _ chosen: Subject) {
        subject = chosen
        time = options.time
        originServer.port = options.originPort.flatMap(Int.init(freeIfZero:))
        originServer.address = options.originListen
    }
}
