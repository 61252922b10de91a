import ArgumentParser
import ControlServing

/// Options of the control API.
struct ControlOptions: ParsableArguments {
    @Option(
        name: .customLong("control-port"),
        help: ArgumentHelp("Port of the control API on 127.0.0.1; 0 selects a free one.", valueName: "N")
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

    func validate() throws {
        if let token, AccessToken(token) == nil {
            throw ValidationError(
                "--control-token: found \(token.utf8.count) characters, expected \(AccessToken.shape)"
            )
        }
        if token != nil, port == nil {
            throw ValidationError("--control-token: found no --control-port, expected both")
        }
    }

    /// Returns the configuration of the control API; `nil` without `--control-port`.
    func configuration(_ limits: LimitOptions?) -> ControlServer.Configuration? {
        guard let port else { return nil }
        var configuration = ControlServer.Configuration()
        limits?.apply(to: &configuration)
        configuration.port = port
        if let token = token.flatMap({ AccessToken($0) }) { configuration.token = token }
        return configuration
    }

    /// The lines printed at the start; `examples` are the arguments of `curl` after the token.
    static func greeting(url: String, token: String, examples: [String], hasPage: Bool) -> String {
        let page = hasPage ? " In a browser: \(url)/#token=\(token)" : ""
        let lines = examples.map { "\n  curl -H 'Authorization: Bearer \(token)' \($0)" }
        return "Control API on \(url), described at \(url)/openapi.json.\(page)" + lines.joined()
    }
}
