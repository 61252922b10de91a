import OriginScript

extension Answer {
    /// Whether all unconditional requests for a target get the same within a second, but for the coding of the content:
    /// nothing happens in a sequence, by a schedule, by chance or at a pace, and nothing of the request is repeated but
    /// its target.
    var isSteady: Bool {
        let isPlain =
            changes == Changes() && faults.isEmpty && interim.isEmpty && stall == nil && rate == nil
            && delay == .zero && chunkDelay == .zero && chunks.isEmpty && framing != .close
        return isPlain && body.isSteady && date.isSteady && fields.allSatisfy(\.value.isSteady)
            && (entityTag?.isSteady ?? true) && (lastModified?.isSteady ?? true)
    }
}

extension BodySource {
    fileprivate var isSteady: Bool {
        switch self {
        case .text, .generated, .bytes, .file, .folder: true
        case .template(let template): template.isSteady
        // It may ask for anything.
        case .templateFile: false
        }
    }
}

extension DateLine {
    fileprivate var isSteady: Bool {
        if case .text(let text) = self { Template.isSteady(text) } else { true }
    }
}

extension EntityTagSource {
    fileprivate var isSteady: Bool {
        if case .literal(let text) = self { Template.isSteady(text) } else { true }
    }
}

extension LastModified {
    fileprivate var isSteady: Bool {
        if case .text(let text) = self { Template.isSteady(text) } else { true }
    }
}

extension FieldValue {
    fileprivate var isSteady: Bool {
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
