/// Writes the values that represent something else: dates relative to a clock, locations below a target.
package struct MagicValue: Sendable {
    /// The clock in milliseconds; `nil` if the other end did not send it.
    package var nowMilliseconds: Int?
    /// The base of locations; `nil` if the other end did not send it.
    package var baseURL: String?
    /// Whether locations are below the target.
    package var hasMagicLocations: Bool
    /// Names, in lower case, of date fields in the form of RFC 850.
    package var rfc850Names: Set<String>

    /// Creates a writer.
    package init(nowMilliseconds: Int?, baseURL: String?, hasMagicLocations: Bool, rfc850Names: Set<String>) {
        self.nowMilliseconds = nowMilliseconds
        self.baseURL = baseURL
        self.hasMagicLocations = hasMagicLocations
        self.rfc850Names = rfc850Names
    }

    /// Returns the value that is meant; a number stays one where it is no date.
    package func rewrite(_ value: SuiteValue, of name: String) -> SuiteValue {
        let name = name.asciiLowercased
        switch value {
        case .number(let offset) where Self.dateNames.contains(name):
            return .text(date(offset, name))
        case .text(let path) where hasMagicLocations && Self.locationNames.contains(name):
            return .text(path.isEmpty ? baseURL ?? "" : "\(baseURL ?? "")/\(path)")
        default: return value
        }
    }

    private func date(_ offset: Int, _ name: String) -> String {
        let now = (nowMilliseconds ?? 0).quotientRoundedDown(by: 1000)
        let (seconds, overflow) = now.addingReportingOverflow(offset)
        let form = rfc850Names.contains(name) ? DateForm.rfc850 : .imf
        return form.text(secondsSinceEpoch: Int64(overflow ? (offset < 0 ? .min : .max) : seconds))
    }

    private static let dateNames: Set = [
        SuiteFieldName.date.asciiLowercased, SuiteFieldName.expires.asciiLowercased,
        SuiteFieldName.lastModified.asciiLowercased, SuiteFieldName.ifModifiedSince.asciiLowercased,
        SuiteFieldName.ifUnmodifiedSince.asciiLowercased,
    ]
    private static let locationNames: Set = [
        SuiteFieldName.location.asciiLowercased, SuiteFieldName.contentLocation.asciiLowercased,
    ]
}

extension Int {
    fileprivate func quotientRoundedDown(by divisor: Int) -> Int {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? quotient - 1 : quotient
    }
}
