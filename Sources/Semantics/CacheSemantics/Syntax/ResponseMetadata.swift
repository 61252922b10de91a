internal import HTTPTypes

/// The value of an `Expires` field.
enum Expiry: Sendable, Equatable {
    case moment(HTTPDate)
    case invalid

    /// Returns the earlier of two; an invalid one is the earliest (§4.2.1).
    func earlier(_ other: Expiry?) -> Expiry {
        guard case .moment(let mine) = self, let other else { return self }
        guard case .moment(let theirs) = other else { return .invalid }
        return .moment(min(mine, theirs))
    }
}

/// The values of a response's fields that the engine needs, parsed in one pass.
struct ResponseMetadata {
    private(set) var cacheControl = ResponseCacheControl()
    private(set) var expires: Expiry?
    private(set) var hasSeveralExpires = false
    /// The first member of `Age`, 0 if that is not a number (§5.1); `nil` without a member.
    private(set) var age: Int64?
    private(set) var hasAge = false
    private(set) var hasContentEncoding = false
    /// Whether the content is coded with a dictionary of the client (RFC 9842).
    private(set) var usesDictionary = false
    private(set) var hasGroups = false
    private(set) var hasIncremental = false
    private(set) var hasNoVarySearch = false
    /// The names that have the form of targeted fields, without duplicates.
    private(set) var targetNames: [HTTPField.Name] = []
    private(set) var connectionLines: [String] = []
    private(set) var lastModifiedText: String?
    private var dateText: String?
    private var expiresText: String?
    /// `nil` also if several lines differ.
    private(set) var entityTag: EntityTag?
    private var hasTag = false
    private var varyLines: [String] = []
    /// The time of receipt, which decides the century of a two-digit year.
    let received: HTTPDate

    init(_ fields: HTTPFields, received: HTTPDate) {
        self.received = received
        for field in fields { read(field) }
    }

    private mutating func read(_ field: HTTPField) {
        let name = field.name
        // Switching on the length avoids most comparisons of names.
        switch name.canonicalName.utf8.count {
        case 3 where name == .age: readAge(field.value)
        case 4 where name == .date: dateText = Self.joined(dateText, field.value)
        case 4 where name == .eTag:
            entityTag = hasTag ? nil : EntityTag(field)
            hasTag = true
        case 4 where name == .vary: varyLines.append(field.value)
        case 7 where name == .expires: readExpires(field.value)
        case 10 where name == .connection: connectionLines.append(field.value)
        case 11 where name == .incremental: hasIncremental = true
        case 12 where name == .cacheGroups: hasGroups = true
        case 13 where name == .cacheControl: cacheControl.read(field.value)
        case 13 where name == .lastModified: lastModifiedText = Self.joined(lastModifiedText, field.value)
        case 14 where name == .noVarySearch: hasNoVarySearch = true
        case 16 where name == .contentEncoding:
            hasContentEncoding = true
            usesDictionary = usesDictionary || CompressionDictionary.isUsed(by: field.value)
        case 15...: if TargetedField.isNamedLikeOne(name) { readTarget(name) }
        default: break
        }
    }

    private mutating func readTarget(_ name: HTTPField.Name) {
        if !targetNames.contains(name) { targetNames.append(name) }
    }

    /// Returns the lines joined by a comma: a singleton field with several lines has no valid value.
    private static func joined(_ before: String?, _ line: String) -> String {
        before.map { "\($0), \(line)" } ?? line
    }

    private mutating func readAge(_ line: String) {
        hasAge = true
        FieldList.forEachMember(of: line) { member in
            if age == nil { age = DeltaSeconds(parsing: member)?.seconds ?? 0 }
        }
    }

    private mutating func readExpires(_ line: String) {
        if let expiresText, expiresText != line { hasSeveralExpires = true }
        expiresText = line
        expires = (HTTPDate(parsing: line, now: received).map(Expiry.moment) ?? .invalid).earlier(expires)
    }

    var hasDate: Bool { dateText != nil }
    var vary: Vary { Vary(varyLines, usesDictionary: usesDictionary) }
    /// Whether the response has to vary by what its Vary does not name.
    var lacksVary: Bool { usesDictionary && Vary(varyLines) != vary }
    var date: HTTPDate? { dateText.flatMap { HTTPDate(parsing: $0, now: received) } }
    var lastModified: HTTPDate? { lastModifiedText.flatMap { HTTPDate(parsing: $0, now: received) } }
}
