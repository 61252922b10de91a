internal import HTTPTypes
internal import RawStructuredFieldValues

/// A targeted cache control field of a response that is valid and says something (RFC 9213 §2).
struct TargetedField: Sendable {
    let name: HTTPField.Name
    let control: ResponseCacheControl

    /// `nil` for a field that is absent, empty or no dictionary, and so is as if it were not there (§2.1).
    init?(_ name: HTTPField.Name, in fields: HTTPFields) {
        let lines = fields[values: name]
        guard !lines.isEmpty, let members = StructuredField.dictionary(lines), !members.isEmpty else {
            return nil
        }
        self.name = name
        control = ResponseCacheControl(directives: members.compactMap(Self.directive))
    }

    /// Whether the name is like those of targeted fields; which of them count, each cache's own list says.
    static func isNamedLikeOne(_ name: HTTPField.Name) -> Bool {
        name.canonicalName.utf8.count > 14 && name.canonicalName.hasSuffix("-cache-control")
    }

    /// A member as the directive it stands for; `nil` where its value is of another type than the directive's and
    /// ignoring it makes the cache no less careful.
    ///
    /// Deviation: RFC 9213 §2.1 says that a value of another type should not be used. A restriction that was written
    /// with the wrong type is still one, as `http/rfc9213-targeted/syntax/mistyped-restriction` pins.
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
    /// The targeted field that a response is to be cached by; `nil` where Cache-Control and Expires count.
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

    /// The directives that a stored response is used by.
    func control(of facts: StoredResponse.Facts) -> ResponseCacheControl {
        options == nil ? facts.cacheControl : target(of: facts)?.control ?? facts.cacheControl
    }

    /// What `read` takes from the directives that a stored response is used by; they are not copied for it.
    @inline(__always)
    func control<Value>(of facts: StoredResponse.Facts, _ read: (ResponseCacheControl) -> Value) -> Value {
        if options != nil, let target = target(of: facts) { return read(target.control) }
        return read(facts.cacheControl)
    }

    /// What Expires says where it counts (RFC 9213 §2.2).
    func expiry(of facts: StoredResponse.Facts) -> Expiry? {
        options == nil || target(of: facts) == nil ? facts.expires : nil
    }

    /// The directives that a response is stored by, and the field that they are from if it is a targeted one.
    func control(
        of reading: ResponseReading,
        _ fields: HTTPFields
    ) -> (control: ResponseCacheControl, target: HTTPField.Name?) {
        guard let options = options?.values else { return (reading.cacheControl, nil) }
        for name in options.targets {
            if let field = TargetedField(name, in: fields) { return (field.control, name) }
        }
        return (reading.cacheControl, nil)
    }
}
