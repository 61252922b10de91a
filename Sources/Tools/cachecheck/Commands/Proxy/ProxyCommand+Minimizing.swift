import ArgumentParser
import CLibrary
import FaultProxy
import FileReading
import OriginScript
import ReportFormats

/// `--minimize`: the fewest and simplest faults with which a command fails.
extension ProxyCommand {
    /// Refuses what cannot be minimized, and options that belong to it without it.
    func validateMinimizing() throws {
        guard minimizes else {
            try demand(command.isEmpty, "found a command after --, expected --minimize before it")
            return try demand(minimal == nil, "--minimal requires --minimize")
        }
        try demand(!command.isEmpty, "--minimize: found no command, expected one after --")
        let others = [
            ("--tcp", !forwards.isEmpty), ("--toxiproxy-port", toxiproxyPort != nil),
            ("--config", config != nil), ("--control-port", control.port != nil),
            ("--record", recordFolder != nil),
        ]
        try refuse(others, with: "--minimize")
        try demand(passesMessages, "--minimize is for --upstream and --forward")
    }

    /// Runs the command with ever fewer faults, and writes the fewest with which it fails.
    func runMinimizing() throws {
        guard var configuration = try configurations(nil).first else { return }
        configuration.keepsJournal = true
        if let fault = configuration.faults.faults.first(where: { $0.action == .refuse }) {
            throw ValidationError("--minimize: found \(fault), expected faults of connections and requests")
        }
        let minimizing = MinimizingRuns(configuration, command: command, authority: trustedAuthority)
        let injected = try minimizing.record()
        var minimal = try DeltaDebugging.minimal(injected) { try minimizing.fails($0) }
        for index in minimal.indices { try simplify(&minimal, index, minimizing) }
        try write(minimal)
    }

    /// The file of the authority that the command has to trust, for any working folder; `nil` if there is none.
    private var trustedAuthority: String? {
        guard !forward.intercept.isEmpty, let path = realpath(tls.folder.certificatePath, nil) else {
            return nil
        }
        defer { free(path) }
        return String(cString: path)
    }

    private func simplify(_ faults: inout [InjectedFault], _ place: Int, _ minimizing: MinimizingRuns) throws
    {
        var isSimpler = true
        while isSimpler {
            isSimpler = false
            for candidate in faults[place].simpler {
                var others = faults
                others[place] = candidate
                guard try minimizing.fails(others) else { continue }
                (faults, isSimpler) = (others, true)
                break
            }
        }
    }

    private func write(_ faults: [InjectedFault]) throws {
        let path = minimal ?? "minimal.yaml"
        let text = faults.ruleFile
        if case .failure(let failure) = FileAccess.replace(path, with: Array(text.utf8)) {
            // The result of many runs is not to be lost.
            print(text)
            throw stop("\(path) cannot be written: \(failure.reason)", ExitStatus.internalError)
        }
        print("The command fails with \(counted(faults.count, "fault")), written to \(path):\n\n\(text)")
        let server = (forward.isForward ? ["--forward"] : []) + (upstream.map { ["--upstream \($0)"] } ?? [])
        print("Replay:\n  cachecheck proxy \(server.joined(separator: " ")) --rules \(path)")
    }
}
