import CacheSemantics
import HTTPTypes

/// One member of Cache-Control as it is written.
struct ControlMember {
    let text: String
    /// The name in lower case.
    let name: String
    /// The argument as it is written, including quotes; `nil` if there is none.
    let argument: String?

    init(_ text: String) {
        self.text = text
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        name = parts.first.map { $0.lowercased() } ?? ""
        argument = parts.count == 2 ? String(parts[1]) : nil
    }

    /// The argument as a number of seconds.
    var seconds: Int64? { argument.flatMap { Int64($0) } }

    /// Returns the member with another argument.
    func with(_ argument: Int64) -> [String] { ["\(name)=\(argument)"] }
}

extension HTTPFields {
    /// The members of Cache-Control in all field lines.
    var directives: [ControlMember] {
        ListField.members(of: self[values: .cacheControl]).map { ControlMember($0) }
    }

    /// Returns the fields with changed directives; `nil` keeps one, and if all are kept the lines do not change either.
    func changingDirectives(_ change: (ControlMember) -> [String]?) -> HTTPFields {
        var isChanged = false
        let members = directives.flatMap { member -> [String] in
            guard let new = change(member) else { return [member.text] }
            isChanged = true
            return new
        }
        guard isChanged else { return self }
        var fields = self
        fields[.cacheControl] = members.isEmpty ? nil : members.joined(separator: ", ")
        return fields
    }

    /// Returns the fields with an additional directive.
    func adding(directive: String) -> HTTPFields {
        var fields = self
        fields.append(HTTPField(name: .cacheControl, value: directive))
        return fields
    }

    /// Whether any of the directives is present.
    func has(_ names: String...) -> Bool { directives.contains { names.contains($0.name) } }

    /// Returns these fields with the values of `real` wherever they have those of `seen` instead.
    func restored(seen: HTTPFields, as real: HTTPFields) -> HTTPFields {
        var result = self
        for name in Set(seen.map(\.name) + real.map(\.name)) {
            let (bent, straight) = (seen[values: name], real[values: name])
            guard bent != straight, self[values: name] == bent else { continue }
            result[values: name] = straight
        }
        return result
    }
}

extension HTTPRequest {
    /// Returns this request with the values of `real` wherever it has those of `seen` instead.
    func restored(seen: HTTPRequest, as real: HTTPRequest) -> HTTPRequest {
        var result = self
        if method == seen.method { result.method = real.method }
        result.headerFields = headerFields.restored(seen: seen.headerFields, as: real.headerFields)
        return result
    }
}
