import ArgumentParser
import Recording

/// Options that choose the secrets to remove from recordings.
struct RedactionOptions: ParsableArguments {
    @Flag(help: "Keep credentials, cookies and tokens.")
    var keepSecrets = false

    @Option(
        help: ArgumentHelp("Also remove the values of this header field. May be repeated.", valueName: "NAME")
    )
    var redactField: [String] = []

    @Option(
        help: ArgumentHelp(
            "Also remove the values of this parameter of queries and forms. May be repeated.",
            valueName: "NAME"
        )
    )
    var redactParameter: [String] = []

    @Option(
        help: ArgumentHelp(
            "Also remove the values of this member of JSON objects. May be repeated.",
            valueName: "NAME"
        )
    )
    var redactMember: [String] = []

    func validate() throws {
        guard keepSecrets, let option = givenNames else { return }
        throw ValidationError("\(option): found --keep-secrets, which keeps everything, expected one of them")
    }

    /// An option that was given; `nil` if none was.
    var given: String? { keepSecrets ? "--keep-secrets" : givenNames }

    private var givenNames: String? {
        let options = [
            ("--redact-field", redactField), ("--redact-parameter", redactParameter),
            ("--redact-member", redactMember),
        ]
        return options.first { !$0.1.isEmpty }?.0
    }

    /// The redaction that these options describe.
    var redaction: Redaction {
        Redaction(
            isOn: !keepSecrets,
            fieldNames: Set(redactField),
            parameterNames: Set(redactParameter),
            memberNames: Set(redactMember)
        )
    }
}
