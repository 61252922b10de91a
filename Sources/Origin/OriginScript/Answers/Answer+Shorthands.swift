import LocatedYAML

extension Answer {
    /// Reads the keys that stand for one field each; they replace a line of that name.
    mutating func readShorthands(_ map: MapReader<AnswerKey>) {
        if let value = map.optional(.cacheControl, .answerText) {
            setField(ShorthandField.cacheControl, .text(value))
        }
        if let value = map.optional(.vary, .answerText) { setField(ShorthandField.vary, .text(value)) }
        if let value = map.optional(.expires, ExpiresText.reader) { setField(ShorthandField.expires, value) }
        if let value = map.optional(.contentType, .answerText) {
            // The one word that is no media type.
            if value == "auto" {
                typesByName = true
            } else {
                setField(ShorthandField.contentType, .text(value))
            }
        }
        fields += map.optional(.cookies, Cookies.reader) ?? []
        readRedirect(map)
    }

    private mutating func readRedirect(_ map: MapReader<AnswerKey>) {
        guard let target = map.optional(.redirect, .answerText) else { return }
        setField(ShorthandField.location, .text(target))
        if map[.status] == nil { status = 302 }
    }

    /// Replaces the field's lines by one.
    public mutating func setField(_ name: String, _ value: FieldValue) {
        fields.removeAll { $0.name.lowercased() == name.lowercased() }
        fields.append(FieldLine(name, value))
    }
}

/// `Expires` as an answer gives it.
enum ExpiresText {
    /// An offset from the present, or text as it is sent.
    static var reader: Reader<FieldValue> {
        Reader.fieldText.map { text in
            Quantity.offsetSeconds(text).map { .date(offsetSeconds: $0, form: .imf) } ?? .text(text)
        }
    }
}
