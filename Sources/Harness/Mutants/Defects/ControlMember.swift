import CacheSemantics
import HTTPTypes

/// One member of Cache-Control as it stands there.
struct ControlMember {
    let text: String
    /// In lower case.
    let name: String
    /// As it stands there, quotes included; `nil` without one.
    let argument: String?

    init(_ text: String) {
        self.text = text
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        name = parts.first.map { $0.lowercased() } ?? ""
        argument = parts.count == 2 ? String(parts[1]) : nil
    }

    /// The argument as a number of seconds.
    var seconds: Int64? { argument.flatMap { Int64($0) } }

    /// The member with another argument.
    func with(_ argument: Int64) -> [String] { ["\(name)=\(argument)"] }
}

extension HTTPFields {
    /// The members of Cache-Control, all lines together.
    var directives: [ControlMember] {
        ListField.members(of: self[values: .cacheControl]).map { ControlMember($0) }
    }

    /// The same fields with other directives; `nil` leaves one as it is, and where all are left so are the lines.
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

    /// The same fields with one directive more.
    func adding(directive: String) -> HTTPFields {
        var fields = self
        fields.append(HTTPField(name: .cacheControl, value: directive))
        return fields
    }

    /// Whether some directive is there.
    func has(_ names: String...) -> Bool { directives.contains { names.contains($0.name) } }

    /// These fields with what `real` has, wherever they have what `seen` shows in its place.
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
    /// This request with what `real` has, wherever it has what `seen` shows in its place.
    func restored(seen: HTTPRequest, as real: HTTPRequest) -> HTTPRequest {
        var result = self
        if method == seen.method { result.method = real.method }
        result.headerFields = headerFields.restored(seen: seen.headerFields, as: real.headerFields)
        return result
    }
}
