internal import RawStructuredFieldValues

/// The structured fields (RFC 9651) that caching uses; parameters are ignored.
enum StructuredField {
    /// A value without its parameters.
    enum Value: Equatable {
        case boolean(Bool)
        case integer(Int64)
        case string(String)
        case token(String)
        /// The members of an inner list.
        case list([Value])
        /// Any other type.
        case other
    }

    /// A member of a dictionary.
    struct Member: Equatable {
        let name: String
        let value: Value
    }

    /// The maximum number of members of a dictionary, which RFC 9651 §3.2 asks for: the parser compares each with all
    /// before it.
    private static let maximumMembers = 1024

    /// Parses a dictionary: returns its members in order, with its lines combined; `nil` if parsing fails (RFC 9651
    /// §4.2), or for more than 1,024 members.
    static func dictionary(_ lines: [String]) -> [Member]? {
        let bytes = Array(lines.joined(separator: ",").utf8)
        // Separators within strings and inner lists do not count.
        guard
            bytes.count < maximumMembers
                || FieldList.members(of: lines, { _ in true }).count <= maximumMembers
        else {
            return nil
        }
        var parser = StructuredFieldValueParser(bytes)
        do {
            return try parser.parseDictionaryFieldValue().map { Member(name: $0.0, value: Value($0.1)) }
        } catch {
            return nil
        }
    }

    /// Parses a list; `nil` if parsing fails.
    static func list(_ lines: [String]) -> [Value]? {
        var parser = StructuredFieldValueParser(Array(lines.joined(separator: ",").utf8))
        do {
            return try parser.parseListFieldValue().map { Value($0) }
        } catch {
            return nil
        }
    }

    /// Parses an item; `nil` if parsing fails, as it does for several lines.
    static func item(_ lines: [String]) -> Value? {
        var parser = StructuredFieldValueParser(Array(lines.joined(separator: ",").utf8))
        do {
            return Value(.item(try parser.parseItemFieldValue()))
        } catch {
            return nil
        }
    }

    /// Returns the strings of a list; empty if parsing fails.
    static func strings(_ lines: [String]) -> [String] {
        (list(lines) ?? []).compactMap { if case .string(let text) = $0 { text } else { nil } }
    }
}

extension StructuredField.Value {
    fileprivate init(_ member: ItemOrInnerList) {
        switch member {
        case .item(let item): self.init(item.rfc9651BareItem)
        case .innerList(let list): self = .list(list.bareInnerList.map { Self($0.rfc9651BareItem) })
        }
    }

    private init(_ item: RFC9651BareItem) {
        switch item {
        case .bool(let value): self = .boolean(value)
        case .integer(let value): self = .integer(Int64(value))
        case .string(let value): self = .string(value)
        case .token(let value): self = .token(value)
        default: self = .other
        }
    }
}
