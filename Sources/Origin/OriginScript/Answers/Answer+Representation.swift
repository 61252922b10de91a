import LocatedYAML

/// The keys of a content coding.
package enum GzipKey: String, MapKey {
    case when, etag
    package static let mapName = "a content coding"
}

extension Answer {
    /// Reads the content.
    ///
    /// Files of a folder have validators, types and ranges unless later keys specify otherwise.
    mutating func readBody(_ map: MapReader<AnswerKey>) {
        map.set(&body, .body, BodySource.reader)
        if case .folder = body {
            (entityTag, lastModified, typesByName, ranges) = (.md5, .file, true, .offered)
        }
        let hasType = fields.contains { $0.name.lowercased() == ShorthandField.contentType.lowercased() }
        if hasType { typesByName = false }
    }

    /// Reads the entity tag; `none` removes that of a folder's files.
    mutating func readEntityTag(_ map: MapReader<AnswerKey>) {
        if map[.etag]?.scalarText == "none" {
            entityTag = nil
        } else {
            map.set(&entityTag, .etag, EntityTagSource.reader)
        }
    }

    /// Reads the modification time; `none` removes that of a folder's files.
    mutating func readLastModified(_ map: MapReader<AnswerKey>) {
        if map[.lastModified]?.scalarText == "none" {
            lastModified = nil
        } else {
            map.set(&lastModified, .lastModified, LastModified.reader)
        }
    }

    /// Reads `true`, `false`, `always`, or a map with `when` and `etag`.
    mutating func readGzip(_ map: MapReader<AnswerKey>) {
        guard let node = map[.gzip], node.pairs != nil else {
            map.set(&gzip, .gzip, GzipMode.reader)
            return
        }
        guard let coding = MapReader<GzipKey>(node, map.problems) else { return }
        gzip = coding.optional(.when, GzipMode.reader) ?? .offered
        coding.set(&codedTag, .etag, Reader<CodedTag>.choice)
    }

    /// Reports changes of content that cannot change: it changes only if it contains the revision or is a pattern.
    func checkChanges(_ map: MapReader<AnswerKey>) {
        guard changes.body != nil, let node = map[.changes]?.value(of: ChangesKey.body.rawValue) else {
            return
        }
        switch body {
        case .generated, .templateFile: return
        case .template(let template) where template.hasRevision: return
        default:
            map.problems.add(
                at: node.position,
                found: "a body that cannot change",
                expected: "a body of {size: …}, or {template: …} with ${revision}"
            )
        }
    }
}

extension LastModified {
    /// An offset, `file`, or text as it is sent.
    static var reader: Reader<LastModified> {
        Reader.answerText.withoutUnusableOffsets.map { text in
            if text == "file" { return .file }
            return Quantity.offsetSeconds(text).map { .offset(.seconds($0)) } ?? .text(text)
        }
    }
}

extension EntityTagSource {
    /// `md5`, `file`, or an entity tag in its quotes.
    static var reader: Reader<EntityTagSource> {
        let expected = "md5, or an entity tag with its quotes, such as '\"v1\"' or W/\"v1\""
        return Reader.answerText
            .when({ $0 == "md5" || $0 == "file" || isTag($0) }, expected: expected)
            .map { text in
                switch text {
                case "md5": .md5
                case "file": .file
                default: .literal(text)
                }
            }
    }

    /// Whether text is an entity tag in its quotes, which an answer can have as its literal tag.
    package static func isTag(_ text: String) -> Bool {
        let opaque = text.hasPrefix("W/") ? text.dropFirst(2) : text[...]
        return opaque.count >= 2 && opaque.hasPrefix("\"") && opaque.hasSuffix("\"")
    }
}

extension GzipMode {
    /// `true`, `false` or `always`.
    static var reader: Reader<GzipMode> {
        Reader.word(of: ["true", "false", "always"]).map { word in
            switch word {
            case "true": .offered
            case "always": .always
            default: .never
            }
        }
    }
}
