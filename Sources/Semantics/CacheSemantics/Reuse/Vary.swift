public import HTTPTypes

/// The field names that a response's `Vary` nominates (RFC 9111 §4.1).
public struct Vary: Sendable, Hashable {
    /// Whether a member is `*` or not a field name; such a response never matches.
    public let neverMatches: Bool
    /// The nominated names without duplicates, in alphabetical order.
    public let names: [HTTPField.Name]

    /// Parses the values of all `Vary` lines of a response.
    public init(_ lines: [String] = []) {
        guard !lines.isEmpty else {
            (neverMatches, names) = (false, [])
            return
        }
        let members = FieldList.members(of: lines) { ASCII.lowercased($0) }
        let names = members.compactMap { $0 == "*" ? nil : HTTPField.Name($0) }
        neverMatches = names.count < members.count
        self.names = Set(names).sorted { $0.canonicalName < $1.canonicalName }
    }

    /// Parses the values of all `Vary` lines of a response; content that is coded with a dictionary of the client also varies by
    /// the fields that `CompressionDictionary.selecting` lists.
    init(_ lines: [String], usesDictionary: Bool) {
        self.init(usesDictionary ? lines + CompressionDictionary.selecting.map(\.rawName) : lines)
    }

    /// Creates the list of the fields by which a response with these fields varies.
    public init(of fields: HTTPFields) {
        let codings = fields[values: .contentEncoding]
        self.init(
            fields[values: .vary],
            usesDictionary: codings.contains { CompressionDictionary.isUsed(by: $0) }
        )
    }

    /// Whether no field is nominated.
    public var isEmpty: Bool { names.isEmpty && !neverMatches }

    /// Returns the nominated fields of a request, as they were sent.
    public func selectingFields(of fields: HTTPFields) -> HTTPFields {
        var selected = HTTPFields()
        guard !names.isEmpty else { return selected }
        // Both may have thousands of members.
        let nominated = Set(names)
        for field in fields where nominated.contains(field.name) { selected.append(field) }
        return selected
    }

    /// Returns the canonical variant key of a request with these fields.
    public func variant(of fields: HTTPFields) -> VariantKey {
        guard !neverMatches, !names.isEmpty else { return variant(of: []) }
        return variant(of: names.map { Vary.value(of: $0, in: fields) })
    }

    /// Returns the key of the variant with these values of `names`, each in its canonical form.
    func variant(of values: [String?]) -> VariantKey {
        guard !neverMatches else { return VariantKey(text: "*") }
        var text = ""
        for (name, value) in zip(names, values) {
            text += name.canonicalName
            if let value {
                text += ": "
                text += value
            }
            text += "\n"
        }
        return VariantKey(text: text)
    }

    /// Returns the field's lines combined in canonical form; `nil` if the field is absent.
    static func value(of name: HTTPField.Name, in fields: HTTPFields) -> String? {
        fields.contains(name) ? SelectingValue.canonical(name, in: fields) : nil
    }
}
