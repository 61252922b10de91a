import FaultProxy
import LocatedYAML

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// The rules of `--rules`, and the lines that are printed at the start.
extension ProxyCommand {
    func readRules(_ path: String) throws -> (ProxyRuleFile, String) {
        let text = try requiredText(path)
        do throws(YAMLProblems) {
            return (try ProxyRuleFile.decode(text, path: path), text)
        } catch {
            throw stop(error, ExitStatus.badFile)
        }
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
            hasPage: false
        )
    }

    func greeting(ports: [UInt16]) -> String {
        let host = listen.contains(":") ? "[\(listen)]" : listen
        let passed =
            (upstream == nil ? [] : ["\(tls.scheme)://\(host):\(ports[0]) for \(upstream ?? "")"])
            + zip(ports.suffix(forwards.count), forwards).map { port, text in
                "\(host):\(port) for \(text.drop { $0 != "=" }.dropFirst())"
            }
        let trust = tls.authorityPath.map { "--cacert \($0) " } ?? ""
        let example = upstream == nil ? "" : "\nTry:\n  curl -i \(trust)\(tls.scheme)://\(host):\(ports[0])/"
        return
            "Listening on \(passed.joined(separator: " and on ")) (Ctrl-C stops).\(faults.summary)\(example)"
    }
}
