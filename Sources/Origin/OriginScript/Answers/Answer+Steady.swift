extension Answer {
    /// Whether all unconditional requests for a target get the same response within a second, except for the content
    /// coding.
    ///
    /// Nothing then depends on a sequence, a schedule, chance or throttling, nor on the request except its target.
    package var isSteady: Bool { passing == nil && AnswerKey.table.allSatisfy { $0.isSteady(self) } }
}

extension BodySource {
    var isSteady: Bool {
        switch self {
        case .text, .generated, .bytes, .file, .folder: true
        case .template(let template): template.isSteady
        // Its variables are unknown.
        case .templateFile: false
        }
    }
}

extension DateLine {
    var isSteady: Bool {
        if case .text(let text) = self { Template.isSteady(text) } else { true }
    }
}

extension EntityTagSource {
    var isSteady: Bool {
        if case .literal(let text) = self { Template.isSteady(text) } else { true }
    }
}

extension LastModified {
    var isSteady: Bool {
        if case .text(let text) = self { Template.isSteady(text) } else { true }
    }
}

extension FieldValue {
    var isSteady: Bool {
        if case .text(let text) = self { Template.isSteady(text) } else { true }
    }
}

extension Template {
    fileprivate static func isSteady(_ text: String) -> Bool {
        !isWorthReading(text) || Template(text)?.isSteady ?? true
    }

    fileprivate var isSteady: Bool {
        pieces.allSatisfy { if case .variable(let variable) = $0 { variable.isSteady } else { true } }
    }
}

extension TemplateVariable {
    fileprivate var isSteady: Bool {
        switch self {
        case .base, .other, .now, .unix, .method, .path, .query, .dollar, .revision, .parameter, .queryValue:
            true
        case .body, .count, .field, .formValue, .json: false
        }
    }
}
