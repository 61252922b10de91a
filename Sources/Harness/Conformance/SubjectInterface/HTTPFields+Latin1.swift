import HTTPTypes

extension HTTPFields {
    /// Creates field lines whose values are sent in ISO-8859-1; a name that HTTP does not allow is omitted.
    init(latin1Lines lines: [(name: String, value: String)]) {
        self.init()
        for line in lines {
            guard let name = HTTPField.Name(line.name) else { continue }
            let bytes = line.value.unicodeScalars.map { UInt8(exactly: $0.value) ?? UInt8(ascii: "?") }
            append(HTTPField(name: name, lenientValue: bytes))
        }
    }

    /// The lines with their values read as ISO-8859-1.
    var latin1Lines: [(name: String, value: String)] {
        map { field in
            let value = field.withUnsafeBytesOfValue { bytes in
                String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
            }
            return (field.name.rawName, value)
        }
    }
}
