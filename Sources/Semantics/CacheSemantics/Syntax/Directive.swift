/// A directive of a `Cache-Control` field (RFC 9111 §5.2).
struct Directive: Equatable {
    /// The argument after `=`.
    enum Argument: Equatable {
        case none
        /// A token or the content of a quoted string.
        case value(String)
        /// An invalid argument.
        case malformed
    }

    /// The name in lower case.
    let name: String
    let argument: Argument

    /// Calls `body` with the directives of one line in order; empty members are skipped.
    static func forEach(in line: String, _ body: (Directive) -> Void) {
        FieldList.forEachMember(of: line) { body(Directive($0)) }
    }

    init(name: String, argument: Argument) {
        self.name = name
        self.argument = argument
    }

    private init(_ member: FieldBytes) {
        guard let equals = member.firstIndex(of: ASCII.equals) else {
            name = ASCII.lowercased(member)
            argument = .none
            return
        }
        let rawName = member[..<equals]
        name = ASCII.lowercased(ASCII.trimmed(rawName))
        // The grammar has no white space around `=`: such an argument is invalid, not absent.
        let hasSpace = rawName.last.map(ASCII.isOptionalWhitespace) ?? false
        argument = hasSpace ? .malformed : Self.argument(member[(equals + 1)...])
    }

    private static func argument(_ bytes: FieldBytes) -> Argument {
        if bytes.first == ASCII.quote { return quoted(bytes.dropFirst()) }
        guard bytes.allSatisfy(ASCII.isTokenByte), !bytes.isEmpty else { return .malformed }
        return .value(String(decoding: bytes, as: UTF8.self))
    }

    private static func quoted(_ bytes: FieldBytes) -> Argument {
        var content: [UInt8] = []
        var index = bytes.startIndex
        while index < bytes.endIndex {
            switch bytes[index] {
            case ASCII.quote:
                guard index == bytes.endIndex - 1 else { return .malformed }
                return .value(String(decoding: content, as: UTF8.self))
            case ASCII.backslash where index + 1 < bytes.endIndex:
                index += 1
                content.append(bytes[index])
            default:
                content.append(bytes[index])
            }
            index += 1
        }
        return .malformed
    }

    /// The argument as a number of seconds.
    var seconds: SecondsArgument {
        guard case .value(let text) = argument, let delta = DeltaSeconds(parsing: text.utf8) else {
            return .invalid
        }
        return .seconds(delta.seconds)
    }

    /// The argument as a list of field names; the whole response if it is absent or not such a list.
    ///
    /// A response cannot be used without certain fields, so a list with one of them applies to the whole response, as
    /// §5.2.2.4 and §5.2.2.7 allow.
    var fieldScope: FieldScope {
        guard case .value(let text) = argument else { return .everything }
        let names = FieldList.members(of: [text]) { ASCII.lowercased($0) }
        guard !names.isEmpty, names.allSatisfy({ $0.utf8.allSatisfy(ASCII.isTokenByte) }) else {
            return .everything
        }
        let isUsable = names.allSatisfy { !StoredFields.isIndispensable($0) }
        return isUsable ? .fields(names) : .everything
    }
}

/// The argument of a directive that takes a number of seconds.
public enum SecondsArgument: Sendable, Hashable {
    /// A number of seconds (§1.2.2).
    case seconds(Int64)
    /// Absent or not a number of seconds.
    case invalid

    /// Returns the more restrictive of two lifetimes: the smaller one; an invalid one is the smallest (§4.2.1).
    func smaller(_ other: SecondsArgument?) -> SecondsArgument {
        guard case .seconds(let mine) = self, let other else { return self }
        guard case .seconds(let theirs) = other else { return .invalid }
        return .seconds(min(mine, theirs))
    }
}

/// The scope of a directive that may list fields.
public enum FieldScope: Sendable, Hashable {
    /// The directive is absent.
    case nothing
    /// The fields with these names, in lower case.
    case fields([String])
    /// The whole response.
    case everything

    /// Whether fields are listed; false for an absent directive and for one that covers the whole response.
    var listsFields: Bool {
        if case .fields = self { true } else { false }
    }

    func union(_ other: FieldScope) -> FieldScope {
        switch (self, other) {
        case (.everything, _), (_, .everything): .everything
        case (.nothing, let scope), (let scope, .nothing): scope
        case (.fields(let mine), .fields(let theirs)): .fields(mine + theirs)
        }
    }
}
