import ArgumentParser
import ControlServing

/// Whether there is a control API, and where.
struct ControlOptions: ParsableArguments {
    @Option(
        name: .customLong("control-port"),
        help: ArgumentHelp("Port of the control API on 127.0.0.1; 0 is any free one.", valueName: "N")
    )
    var port: UInt16?

    @Option(
        name: .customLong("control-token"),
        help: ArgumentHelp(
            "Token of the control API; without it one is made at random and printed.",
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

    /// Returns what the API needs to know; `nil` where none is wanted.
    func configuration(_ limits: LimitOptions) -> ControlServer.Configuration? {
        guard let port else { return nil }
        var configuration = ControlServer.Configuration()
        limits.apply(to: &configuration)
        configuration.port = port
        if let token = token.flatMap({ AccessToken($0) }) { configuration.token = token }
        return configuration
    }

    /// What a user reads at the start; `examples` are what follows `curl` and the token.
    static func greeting(url: String, token: String, examples: [String], hasPage: Bool) -> String {
        let page = hasPage ? " In a browser: \(url)/#token=\(token)" : ""
        let lines = examples.map { "\n  curl -H 'Authorization: Bearer \(token)' \($0)" }
        return "Control API on \(url), described at \(url)/openapi.json.\(page)" + lines.joined()
    }
}
