import LocatedYAML

/// Checks of status, header fields, content and user info.
extension CallerCheck {
    /// The field that is in seconds and changes during transfer.
    private static let age = "age"

    mutating func checkResponse() {
        let choice = { (statuses: [Int]) in statuses.map(String.init).joined(separator: " or ") }
        let status = seen.status.map(String.init) ?? "no response"
        mismatches.check(expected.statuses, "status", text: choice, seen: status) {
            seen.status.map($0.contains) ?? false
        }
        let table = FieldTable(seen.fields)
        for field in expected.fields { checkField(field, table[field.value.name]) }
        mismatches.check(expected.body, "body", seen.body, in: context)
        mismatches.check(expected.userInfo, "user-info", text: Self.text, seen: Self.text(of: seen.userInfo))
        {
            $0 == seen.userInfo
        }
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

    private static func text(of userInfo: [String: String]) -> String {
        let pairs = userInfo.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }
        return "{" + pairs.joined(separator: ", ") + "}"
    }
}
