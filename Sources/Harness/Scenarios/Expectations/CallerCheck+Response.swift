import LocatedYAML

/// Checks of status, header fields, content and user info.
extension CallerCheck {
    /// The field that is in seconds and changes during transfer.
    private static let age = "age"

    mutating func checkResponse() {
        if let statuses = expected.statuses {
            mismatches.require(
                seen.status.map(statuses.value.contains) ?? false,
                "status",
                at: statuses.position,
                expected: statuses.value.map(String.init).joined(separator: " or "),
                seen: seen.status.map(String.init) ?? "no response"
            )
        }
        let table = FieldTable(seen.fields)
        for field in expected.fields { checkField(field, table[field.value.name]) }
        mismatches.check(expected.body, "body", seen.body, in: context)
        checkUserInfo()
    }

    private mutating func checkField(_ field: Located<FieldExpectation>, _ value: String?) {
        let tolerance = field.value.name.lowercased() == Self.age ? context.tolerance : 0
        mismatches.require(
            field.value.value.holds(for: value, in: context, tolerance: tolerance),
            "fields.\(field.value.name)",
            at: field.position,
            expected: field.value.value.text(in: context),
            seen: value.map(YAMLNode.quoted) ?? "absent"
        )
    }

    private mutating func checkUserInfo() {
        guard let userInfo = expected.userInfo else { return }
        mismatches.require(
            userInfo.value == seen.userInfo,
            "user-info",
            at: userInfo.position,
            expected: Self.text(of: userInfo.value),
            seen: Self.text(of: seen.userInfo)
        )
    }

    private static func text(of userInfo: [String: String]) -> String {
        let pairs = userInfo.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }
        return "{" + pairs.joined(separator: ", ") + "}"
    }
}
