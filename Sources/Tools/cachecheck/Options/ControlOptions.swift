import ArgumentParser
import ControlServing

/// Options of the control API.
struct ControlOptions: ParsableArguments {
    @Option(
        name: .customLong("control-port"),
        help: ArgumentHelp("Port of the control API on 127.0.0.1; 0 selects a free one.", valueName: "N"),
        transform: portNumber
    )
    var port: UInt16?

    @Option(
        name: .customLong("control-token"),
        help: ArgumentHelp(
            "Token of the control API; by default a random one is generated and printed.",
            valueName: "TOKEN"
        )
    )
    var token: String?

    @Option(
        name: .customLong("control-cors"),
        help: ArgumentHelp(
            "Allow pages of this origin, such as http://localhost:3000, to call the control API; * allows every origin.",
            valueName: "ORIGIN"
        )
    )
    var allowedOrigin: String?

    func validate() throws {
        if let allowedOrigin, allowedOrigin != "*", !Self.isOrigin(allowedOrigin) {
            let expected = "* or an origin such as http://localhost:3000"
            throw ValidationError("--control-cors: found \"\(allowedOrigin)\", expected \(expected)")
        }
        if let token, AccessToken(token) == nil {
            throw ValidationError(
                "--control-token: found \(token.utf8.count) characters, expected \(AccessToken.shape)"
            )
        }
        for (name, isGiven) in [("token", token != nil), ("cors", allowedOrigin != nil)]
        where isGiven && port == nil {
            throw ValidationError("--control-\(name) requires --control-port")
        }
    }

    /// Whether a text is an origin as browsers send it: a scheme, a host and perhaps a port.
    private static func isOrigin(_ text: String) -> Bool {
        guard let base = URLBase(argument: text), base.text == text else { return false }
        let host = text.drop { $0 != ":" }.dropFirst(3)
        return !host.isEmpty && !host.contains { "/?#@".contains($0) } && text == text.lowercased()
    }

    /// Returns the configuration of the control API; `nil` without `--control-port`.
    func configuration(_ limits: LimitOptions?) -> ControlServer.Configuration? {
        guard let port else { return nil }
        var configuration = ControlServer.Configuration()
        limits?.apply(to: &configuration)
        configuration.port = Int(freeIfZero: port)
        configuration.allowedOrigin = allowedOrigin
        if let token = token.flatMap({ AccessToken($0) }) { configuration.token = token }
        return configuration
    }

    /// Returns the lines printed at the start; `examples` are the arguments of `curl` after the token.
    static func greeting(url: String, token: String, examples: [String], hasPage: Bool) -> String {
        let page = hasPage ? " In a browser: \(url)/#token=\(token)" : ""
        let lines = examples.map { "\n  curl -H 'Authorization: Bearer \(token)' \($0)" }
        return "Control API on \(url), described at \(url)/openapi.json.\(page)" + lines.joined()
    }
}

extension Int {
    /// Creates the port of an option, where 0 is any free one; `nil` for that.
    init?(freeIfZero port: UInt16) {
        if port == 0 { return nil }
        self.init(port)
    }
}
