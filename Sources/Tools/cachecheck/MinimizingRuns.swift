import ArgumentParser
import CLibrary
import FaultProxy
import HTTPServing
import LocatedYAML
import OriginScript
import ReportFormats

/// Runs of a command, each with a new proxy on the same port.
final class MinimizingRuns {
    private let configuration: FaultProxy.Configuration
    private let command: [String]
    /// The file of the authority that the command has to trust; `nil` if no TLS is terminated.
    private let authority: String?
    private var count = 0

    init(_ configuration: FaultProxy.Configuration, command: [String], authority: String?) {
        (self.configuration, self.command, self.authority) = (configuration, command, authority)
    }

    /// Returns the faults of a run that fails with them, and again with them as rules, but not without; ends the command
    /// where that is not so.
    func record() throws -> [InjectedFault] {
        var without = configuration
        (without.faults.faults, without.rules, without.onDecision) = ([], .empty, nil)
        if try run(without, "without faults", isQuiet: true).status != 0 {
            throw stop("The command also fails without faults", ExitCode(1))
        }
        let (status, injected) = try run(configuration, "with all faults", isQuiet: false)
        if status == 0 {
            throw stop("The command succeeds with these faults; try another --seed", ExitCode(1))
        }
        if injected.isEmpty { throw stop("The command fails, but no fault was injected", ExitCode(1)) }
        if try !fails(injected) {
            throw stop(
                "The command succeeds with the same faults in the same requests: the failure depends on more, such as the order of requests",
                ExitCode(1)
            )
        }
        return injected
    }

    /// Returns whether the command fails with these faults alone.
    func fails(_ faults: [InjectedFault]) throws -> Bool {
        var own = configuration
        (own.faults.faults, own.onDecision) = ([], nil)
        own.rules = try orStop(ExitStatus.internalError) {
            try ProxyRuleFile.decode(faults.ruleFile, path: "minimal.yaml")
        }
        return try run(own, "with \(counted(faults.count, "fault"))", isQuiet: true).status != 0
    }

    private func run(_ configuration: FaultProxy.Configuration, _ what: String, isQuiet: Bool) throws -> (
        status: Int32, injected: [InjectedFault]
    ) {
        var configuration = configuration
        configuration.ruleFile = nil
        let proxy = FaultProxy(configuration)
        try orStop(ExitStatus.unavailable, "cachecheck proxy: ") { try proxy.start() }
        defer { proxy.stop() }
        for (name, value) in environment(proxy.url) { setenv(name, value, 1) }
        let status = try Process.run(command, isQuiet: isQuiet)
        count += 1
        print("Run \(count), \(what): \(status == 0 ? "succeeds" : "fails")")
        fflush(nil)
        return try orStop(ExitCode(1), "cachecheck proxy --minimize: ") {
            (status, try proxy.injectedFaults())
        }
    }

    /// Returns the variables by which the command finds the proxy: for a forward proxy those that most programs read.
    private func environment(_ url: String) -> [(String, String)] {
        guard configuration.forwarding != nil else { return [("CACHECHECK_PROXY", url)] }
        var variables = [("NO_PROXY", ""), ("no_proxy", ""), ("NODE_USE_ENV_PROXY", "1")]
        for name in ["CACHECHECK_PROXY", "HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy"] {
            variables.append((name, url))
        }
        guard let authority else { return variables }
        for name in ["SSL_CERT_FILE", "REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE", "NODE_EXTRA_CA_CERTS"] {
            variables.append((name, authority))
        }
        return variables
    }
}

extension Process {
    /// Runs a command to its end, without its output where it is to be quiet; returns its exit status, or 128 and the
    /// number of the signal that ended it.
    fileprivate static func run(_ command: [String], isQuiet: Bool) throws -> Int32 {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        if isQuiet {
            for descriptor in [STDOUT_FILENO, STDERR_FILENO] {
                posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_WRONLY, 0)
            }
        }
        let words: [UnsafeMutablePointer<CChar>?] = command.map { (word: String) in strdup(word) }
        defer { words.forEach { free($0) } }
        var process = pid_t()
        let code = posix_spawnp(&process, command[0], &actions, nil, words + [nil], environ)
        guard code == 0 else {
            throw stop(
                "\(command[0]) cannot be run: \(String(cString: strerror(code)))",
                ExitStatus.unavailable
            )
        }
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
        return status & 0x7F == 0 ? status >> 8 & 0xFF : 128 + status & 0x7F
    }
}
