import Certificates
import CLibrary
import FaultProxy
import LocatedYAML
import ReportFormats

/// The rules of `--rules`, and the lines that are printed at the start.
extension ProxyCommand {
    func readRules(_ path: String) throws -> (ProxyRuleFile, String) {
        let text = try requiredText(path)
        return try orStop(ExitStatus.badFile) { (try ProxyRuleFile.decode(text, path: path), text) }
    }

    static func report(_ event: RuleEvent, _ path: String) {
        switch event {
        case .loaded(let count):
            print("\(path) has changed: \(counted(count, "rule")).")
            fflush(nil)
        case .refused(let problems):
            printError(problems)
            printError("\(path) has problems; the previous rules stay in effect.")
        }
    }

    static func greeting(of control: ProxyControl) -> String {
        ControlOptions.greeting(
            url: control.url,
            token: control.token,
            examples: [
                "\(control.url)/journal",
                "-X PUT -d '{\"faults\": \"status=503@before-head\"}' \(control.url)/faults",
            ],
            hasPage: true
        )
    }

    func greeting(ports: [Int]) throws -> String {
        let first = "\(tls.scheme)://\(ListenAddress(host: listen, port: ports[0]))"
        let place = upstream.map { " for \($0)" } ?? ""
        let passed =
            (passesMessages ? ["\(first)\(forward.isForward ? " as a forward proxy" : "")\(place)"] : [])
            + zip(ports.suffix(forwards.count), try parsedForwards()).map { port, forward in
                "\(forward.address.with(port: port)) for \(forward.upstream)"
            }
        return
            "Listening on \(passed.joined(separator: " and on ")) (Ctrl-C stops).\(faults.summary)\(examples(first))"
    }

    private func examples(_ url: String) -> String {
        if forward.isForward {
            let plain = "\nTry:\n  curl -i -x \(url) http://example.com/"
            guard !forward.intercept.isEmpty else { return plain }
            return plain
                + "\nClients have to trust \(tls.folder.certificatePath), as in"
                + "\n  curl -i -x \(url) --cacert \(tls.folder.certificatePath) https://example.com/"
        }
        guard upstream != nil else { return "" }
        let trust = tls.authorityPath.map { "--cacert \($0) " } ?? ""
        return "\nTry:\n  curl -i \(trust)\(url)/"
    }
}
