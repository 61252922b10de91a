import LocatedYAML

extension Answer {
    /// Reads a key that sets one field and replaces its lines.
    mutating func readField(_ name: String, _ key: AnswerKey, _ map: MapReader<AnswerKey>) {
        if let value = map.optional(key, .answerText) { setField(name, .text(value)) }
    }

    /// Reads `Content-Type`; `auto`, which is no media type, derives it from the name of a file.
    mutating func readContentType(_ map: MapReader<AnswerKey>) {
        guard let value = map.optional(.contentType, .answerText) else { return }
        if value == "auto" {
            typesByName = true
        } else {
            setField(ShorthandField.contentType, .text(value))
        }
    }

    /// Reads `Location`, and sets the status where the answer has none.
    mutating func readRedirect(_ map: MapReader<AnswerKey>) {
        guard let target = map.optional(.redirect, .answerText) else { return }
        setField(ShorthandField.location, .text(target))
        if map[.status] == nil { status = 302 }
    }

    /// Replaces the lines of a field by one.
    public mutating func setField(_ name: String, _ value: FieldValue) {
        fields.removeAll { $0.name.lowercased() == name.lowercased() }
        fields.append(FieldLine(name, value))
    }
}

/// `Expires` as an answer gives it.
enum ExpiresText {
    /// An offset from the present, or text as it is sent.
    static var reader: Reader<FieldValue> {
        Reader.fieldText.withoutUnusableOffsets.map { text in
            Quantity.offsetSeconds(text).map { .date(offset: .seconds($0), form: .imf) } ?? .text(text)
        }
    }
}
