import ArgumentParser
import Certificates
import CLibrary
import FaultProxy
import HTTPServing
import LocatedYAML
import OriginScript

/// Several proxies of a file.
extension ProxyCommand {
    /// Refuses options that the file has keys for.
    func validateConfig() throws {
        try refuse(
            [
                ("--upstream", upstream != nil), (forward.given ?? "", forward.given != nil),
                ("--tcp", !forwards.isEmpty), ("--toxiproxy-port", toxiproxyPort != nil),
                ("--rules", rules != nil), ("--fault", !fault.isEmpty), ("--faults", faults.faults != nil),
                ("--network", faults.network != nil), ("--port", givenPort != nil),
                ("--listen", givenAddress != nil), ("--host", givenHost != nil),
                ("--x-forwarded", addsForwarded), ("--allow-request-faults", allowsRequestFaults),
                ("--tls", tls.choice != nil),
                ("--upstream-ca and --insecure-upstream", tls.trustOptions.isGiven),
                ("--ca-dir", tls.caDir != nil),
            ],
            with: "--config"
        )
        try validateRecording()
        try validateLimits()
    }

    /// Runs the proxies of a file until a signal ends them.
    func runConfig(_ path: String) throws {
        let text = try requiredText(path)
        let file = try orStop(ExitStatus.badFile) { try ProxyFile.decode(text, path: path) }
        let recordings = try makeRecordings(of: file, path)
        var configuration = try groupConfiguration(path, file)
        if let recordings { configuration.recorder = { Self.recorder(recordings, of: $0) } }
        let group = ProxyGroup(path: path, configuration)
        try orStop(ExitStatus.unavailable, "cachecheck proxy: ") { try group.start(file, text: text) }
        let control = try startControl(of: group)
        Process.catchEnd()
        print(Self.lines(of: group) + "\n(Ctrl-C stops.)")
        if let control, let name = group.running.first?.name { print(Self.greeting(of: control, name)) }
        fflush(nil)
        Process.waitForEnd()
        control?.stop()
        group.stop()
        print(try recordings?.end() ?? "Stopped.")
    }

    private func startControl(of group: ProxyGroup) throws -> ProxyControl? {
        guard let configuration = self.control.configuration(nil),
            let control = ProxyControl(of: group, configuration)
        else { return nil }
        try orStop(ExitStatus.unavailable, "cachecheck proxy: ") { try control.start() }
        return control
    }

    private static func greeting(of control: ProxyControl, _ name: String) -> String {
        ControlOptions.greeting(
            url: control.url,
            token: control.token,
            examples: ["\(control.url)/proxies", "\(control.url)/proxies/\(name)/journal"],
            hasPage: true
        )
    }

    private func groupConfiguration(_ path: String, _ file: ProxyFile) throws -> ProxyGroup.Configuration {
        let settings = try faults.settings(seed: file.seed)
        var configuration = ProxyGroup.Configuration()
        (configuration.threads, configuration.connectionLimit) = (threads, connections)
        configuration.onDecision = settings.onDecision
        configuration.keepsJournal = control.port != nil
        let hasSeed = faults.seed != nil || faults.replayDecisions != nil
        if hasSeed { configuration.seed = settings.seed }
        let options = tls
        configuration.tls = { choice throws(ServerError) in
            do throws(CertificateError) {
                return try options.settings(choice)
            } catch {
                throw .tls(reason: error.description)
            }
        }
        configuration.interception = { hosts throws(ServerError) in
            do throws(CertificateError) {
                return try ForwardOptions.interception(of: hosts, options.folder)
            } catch {
                throw .tls(reason: error.description)
            }
        }
        configuration.onChange = { event in Self.report(event, path) }
        return configuration
    }

    private static func report(_ event: ProxyFileEvent, _ path: String) {
        switch event {
        case .loaded:
            print("\(path) has changed, and is in effect.")
            fflush(nil)
        case .refused(let problems):
            printError(problems)
            printError("\(path) has problems; the proxies are unchanged.")
        case .failed(let name, let error): printError("cachecheck proxy: proxy \(name): \(error)")
        }
    }

    private static func lines(of group: ProxyGroup) -> String {
        group.running.map { proxy in
            let endpoints = proxy.endpoints
            let scheme = endpoints.mode == .bytes ? "tcp" : endpoints.tls == nil ? "http" : "https"
            let role = endpoints.upstream.map { "for \($0)" } ?? "as a forward proxy"
            return "\(proxy.name): \(scheme)://\(proxy.address) \(role)"
        }.joined(separator: "\n")
    }
}
