import JSON
import TextCodings

/// The encoding of parameters in a query or a form (`application/x-www-form-urlencoded`).
public struct ParameterEncoding: Sendable, Hashable {
    /// The form of array elements' names.
    #if hasAttribute(nonexhaustive)
        @nonexhaustive
    #endif
    public enum ArrayForm: Sendable, Hashable, CaseIterable {
        /// `a[]=1&a[]=2`.
        case brackets
        /// `a=1&a=2`.
        case repeated
        /// `a[0]=1&a[1]=2`.
        case indexed
    }
    /// The form of Booleans.
    public enum BoolForm: Sendable, Hashable, CaseIterable {
        /// `1` and `0`.
        case numeric
        /// `true` and `false`.
        case words
    }
    /// The form of array elements' names; default `brackets`.
    public var arrays = ArrayForm.brackets
    /// The form of Booleans; default `numeric`.
    public var bools = BoolForm.numeric

    /// Creates the default encoding.
    public init() {}

    /// Returns the parameters as `k=v&k2=v2`, percent-encoded and sorted by name; empty if there are none.
    public func text(of parameters: Parameters) -> String {
        JSONObject(parameters.values).members
            .flatMap { pairs(Self.escaped($0.name), $0.value) }
            .map { $0.name + "=" + $0.value }
            .joined(separator: "&")
    }

    /// Returns the URL with the parameters appended to its query, before the fragment.
    public func url(_ url: String, adding parameters: Parameters) -> String {
        let text = text(of: parameters)
        guard !text.isEmpty else { return url }
        let target = url.prefix { $0 != "#" }
        let fragment = url[target.endIndex...]
        guard let mark = target.firstIndex(of: "?") else { return "\(target)?\(text)\(fragment)" }
        let isOpen = target.index(after: mark) == target.endIndex || target.hasSuffix("&")
        return "\(target)\(isOpen ? "" : "&")\(text)\(fragment)"
    }

    /// Returns the parameters as names and values without percent-encoding, in order, for a multipart body.
    public func fields(of parameters: Parameters) -> [(name: String, value: String)] {
        JSONObject(parameters.values).members.flatMap { plainPairs($0.name, $0.value) }
    }

    /// Percent-encodes everything but letters, digits and `-._~` (RFC 3986 §2.3).
    public static func escaped(_ text: String) -> String {
        PercentText.encode(text, keeping: PercentText.isUnreserved)
    }

    /// Returns the pairs of one value under a name that is already percent-encoded.
    private func pairs(_ name: String, _ value: JSONValue) -> [(name: String, value: String)] {
        spread(name, value, open: "%5B", close: "%5D", Self.escaped)
    }

    private func plainPairs(_ name: String, _ value: JSONValue) -> [(name: String, value: String)] {
        spread(name, value, open: "[", close: "]") { $0 }
    }

    private func spread(
        _ name: String,
        _ value: JSONValue,
        open: String,
        close: String,
        _ escape: (String) -> String
    ) -> [(name: String, value: String)] {
        switch value {
        case .array(let elements):
            elements.enumerated().flatMap { index, element in
                spread(name + suffix(index, open, close), element, open: open, close: close, escape)
            }
        case .object(let object):
            object.sortedMembers.flatMap { member in
                spread(
                    name + open + escape(member.name) + close,
                    member.value,
                    open: open,
                    close: close,
                    escape
                )
            }
        case .bool(let bool) where bools == .numeric: [(name, bool ? "1" : "0")]
        default: [(name, escape(value.plainText))]
        }
    }

    private func suffix(_ index: Int, _ open: String, _ close: String) -> String {
        switch arrays {
        case .brackets: open + close
        case .repeated: ""
        case .indexed: "\(open)\(index)\(close)"
        }
    }
}
