internal import HTTPTypes
internal import RawStructuredFieldValues

/// A valid and non-empty targeted cache control field of a response (RFC 9213 §2).
struct TargetedField: Sendable {
    let name: HTTPField.Name
    let control: ResponseCacheControl

    /// Parses the field; `nil` if it is absent, empty or not a dictionary; the latter two are treated as absent (RFC 9213 §2.1).
    init?(_ name: HTTPField.Name, in fields: HTTPFields) {
        let lines = fields[values: name]
        guard !lines.isEmpty, let members = StructuredField.dictionary(lines), !members.isEmpty else {
            return nil
        }
        self.name = name
        control = ResponseCacheControl(directives: members.compactMap(Self.directive))
    }

    /// Whether the name has the form of a targeted field; the target list of each cache decides which of them apply.
    static func isNamedLikeOne(_ name: HTTPField.Name) -> Bool {
        name.canonicalName.utf8.count > 14 && name.canonicalName.hasSuffix("-cache-control")
    }

    /// Returns a member as a directive; `nil` if its value has the wrong type and ignoring it does not make the cache
    /// less restrictive.
    ///
    /// Deviation: RFC 9213 §2.1 states that a value of the wrong type should be ignored. A restriction with a value of the
    /// wrong type is kept, as `http/rfc9213-targeted/syntax/mistyped-restriction` pins.
    private static func directive(_ member: StructuredField.Member) -> Directive? {
        switch (member.name, member.value) {
        case ("max-age", .integer(let number)), ("s-maxage", .integer(let number)),
            ("stale-while-revalidate", .integer(let number)), ("stale-if-error", .integer(let number)):
            Directive(name: member.name, argument: .value(String(number)))
        case ("no-cache", .string(let names)), ("private", .string(let names)):
            Directive(name: member.name, argument: .value(names))
        case ("max-age", _), ("s-maxage", _): Directive(name: member.name, argument: .value("0"))
        case ("stale-while-revalidate", _), ("stale-if-error", _): nil
        case (_, .boolean(false)): nil
        case ("no-store", _), ("no-cache", _), ("private", _): Directive(name: member.name, argument: .none)
        case (_, .boolean(true)): Directive(name: member.name, argument: .none)
        default: nil
        }
    }
}

extension CacheEngine {
    /// Returns the targeted field that applies to a response; `nil` if Cache-Control and Expires apply.
    func target(of facts: StoredResponse.Facts) -> TargetedField? {
        guard let options = options?.values, !options.targets.isEmpty else { return nil }
        for name in options.targets {
            let found =
                TargetedField.isNamedLikeOne(name)
                ? facts.targeted.first { $0.name == name }
                : TargetedField(name, in: facts.response.headerFields)
            if let found { return found }
        }
        return nil
    }

    /// Returns the directives that apply to a stored response.
    func control(of facts: StoredResponse.Facts) -> ResponseCacheControl {
        options == nil ? facts.cacheControl : target(of: facts)?.control ?? facts.cacheControl
    }

    /// Returns the value that `read` extracts from the directives that apply to a stored response, without copying them.
    @inline(__always)
    func control<Value>(of facts: StoredResponse.Facts, _ read: (ResponseCacheControl) -> Value) -> Value {
        if options != nil, let target = target(of: facts) { return read(target.control) }
        return read(facts.cacheControl)
    }

    /// Returns the value of Expires, if it applies (RFC 9213 §2.2).
    func expiry(of facts: StoredResponse.Facts) -> Expiry? {
        options == nil || target(of: facts) == nil ? facts.expires : nil
    }

    /// Returns the directives that decide whether a response is stored, and the targeted field that they are from, if any.
    func control(
        of metadata: ResponseMetadata,
        _ fields: HTTPFields
    ) -> (control: ResponseCacheControl, target: HTTPField.Name?) {
        guard let options = options?.values else { return (metadata.cacheControl, nil) }
        for name in options.targets {
            if let field = TargetedField(name, in: fields) { return (field.control, name) }
        }
        return (metadata.cacheControl, nil)
    }
}
