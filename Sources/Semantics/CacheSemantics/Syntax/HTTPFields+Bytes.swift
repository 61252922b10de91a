package import HTTPTypes

extension HTTPFields {
    /// Whether both have the same lines in the same order: equal names, whose case does not matter, and the same bytes as
    /// values.
    ///
    /// `==` compares values as text, in which all bytes that are not UTF-8 are alike, and so are canonically equivalent
    /// characters; RFC 9110 §5.5 regards both as opaque data.
    package func hasSameBytes(as other: HTTPFields) -> Bool {
        count == other.count
            && zip(self, other).allSatisfy { left, right in
                left.name == right.name
                    && left.withUnsafeBytesOfValue { own in
                        right.withUnsafeBytesOfValue { own.elementsEqual($0) }
                    }
            }
    }
}
