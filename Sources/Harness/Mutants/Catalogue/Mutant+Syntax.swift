import CacheSemantics
import HTTPTypes

extension Mutant {
    /// The parsing of directives, numbers and dates (RFC 9111 §1.2.2, §5.2, RFC 9110 §5.6.7).
    static let ofSyntax: [Mutant] = [
        Mutant(
            "numbers-wrap",
            "A number of seconds beyond 31 bits is ignored",
            [.deltaSecondsOverflow],
            EngineDefect.fields { fields, _ in
                fields = fields.changingDirectives { member in
                    (member.argument?.count ?? 0) > 9 ? member.with(0) : nil
                }
                if (fields[.age]?.count ?? 0) > 9 { fields[.age] = "0" }
            }
        ),
        Mutant(
            "numbers-read-to-the-first-letter",
            "Only the leading digits of a number of seconds are read",
            [.deltaSecondsDigitsOnly],
            EngineDefect.directives { _, member in
                guard ["max-age", "s-maxage", "stale-while-revalidate"].contains(member.name),
                    let argument = member.argument, !argument.hasPrefix("\""),
                    let digits = Int64(argument.prefix(while: \.isNumber)), member.seconds == nil
                else { return nil }
                return member.with(digits)
            }
        ),
        Mutant(
            "directives-case-sensitive",
            "Directives that are not in lower case are not recognized",
            [.directiveNameCase],
            EngineDefect(
                request: { request, _ in
                    var request = request
                    request.headerFields = request.headerFields.changingDirectives(inLowerCase)
                    return request
                },
                head: { $0.with($0.fields.changingDirectives(inLowerCase)) }
            )
        ),
        Mutant(
            "quoted-arguments-invalid",
            "A quoted argument is not read as a number",
            [.directiveArgumentForms],
            EngineDefect.directives { _, member in
                guard let argument = member.argument, argument.hasPrefix("\"") else { return nil }
                return ["max-age", "s-maxage"].contains(member.name) ? ["\(member.name)=invalid"] : nil
            }
        ),
        Mutant(
            "unknown-directive-spoils",
            "All directives are ignored if one is unknown",
            [.directiveUnknown],
            EngineDefect.fields { fields, _ in
                if fields.directives.contains(where: { !known.contains($0.name) }) {
                    fields[.cacheControl] = nil
                }
            }
        ),
        Mutant(
            "first-control-line-only",
            "Only the first of several Cache-Control lines is used",
            [.directiveLines],
            EngineDefect.fields { fields, _ in fields[.cacheControl] = fields[values: .cacheControl].first }
        ),
        Mutant(
            "rfc850-dates-invalid",
            "A date in RFC 850 form is invalid",
            [.dateForms],
            dates { text in text.contains("-") ? "0" : text }
        ),
        Mutant(
            "asctime-dates-invalid",
            "A date in asctime form is invalid",
            [.dateForms],
            dates { text in text.contains(",") ? text : "0" }
        ),
        Mutant(
            "two-digit-years-from-2000",
            "A two-digit year is always in this century",
            [.dateTwoDigitYear],
            dates { text in
                guard let dash = text.lastIndex(of: "-") else { return text }
                let start = text.index(after: dash)
                let comma = text.firstIndex(of: ",") ?? text.startIndex
                let rest = text[text.index(after: comma)..<dash].map { $0 == "-" ? " " : String($0) }.joined()
                return "\(text.prefix(3)),\(rest) 20\(text[start...])"
            }
        ),
        Mutant(
            "dates-required",
            "A response without Date is extremely old",
            [.dateMissing],
            EngineDefect.putting { stored, exchanged in
                guard exchanged.response?.headerFields.contains(.date) == false else { return stored }
                return stored.changing { $0[.date] = HTTPDate(secondsSinceEpoch: 0).text }
            }
        ),
    ]

    private static let known = [
        "max-age", "s-maxage", "no-cache", "no-store", "no-transform", "must-revalidate", "proxy-revalidate",
        "must-understand", "private", "public", "immutable", "stale-while-revalidate", "stale-if-error",
    ]

    @Sendable private static func inLowerCase(_ member: ControlMember) -> [String]? {
        member.text.prefix { $0 != "=" }.contains(where: \.isUppercase) ? [] : nil
    }

    /// Returns a defect that changes the dates of responses before they are parsed.
    private static func dates(_ change: @escaping @Sendable (String) -> String) -> EngineDefect {
        EngineDefect.fields { fields, _ in
            for name in [HTTPField.Name.expires, .date] {
                if let text = fields[name] { fields[name] = change(text) }
            }
        }
    }
}
