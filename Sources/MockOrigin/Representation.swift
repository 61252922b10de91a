import HTTPServing
import OriginScript

/// The selected representation of an answer: coded content, its validators and its fields.
struct Representation {
    /// The content as it is sent.
    let content: [UInt8]
    /// The `ETag` value as it is sent.
    let entityTag: String?
    /// The `Last-Modified` value as it is sent.
    let lastModified: String?
    private let codingFields: [ServedField]

    init(_ answer: Answer, _ context: AnswerContext, _ contents: ContentStore) throws(ContentStore.Missing) {
        let plain = try contents.bytes(of: answer.body)
        let isCoded = Self.isCoded(answer, context)
        content = isCoded ? Gzip.compress(plain) : plain
        codingFields = Self.codingFields(answer, isCoded: isCoded)
        lastModified = Self.lastModified(answer, context)
        entityTag =
            switch answer.entityTag {
            case .literal(let text): context.text(.text(text))
            // RFC 9110 §8.8.3: two codings of one content have two strong tags.
            case .md5: "\"\(Digest.md5(content))\""
            case nil: nil
            }
    }

    /// `ETag` and `Last-Modified`.
    var validators: [ServedField] {
        let tag = entityTag.map { [ServedField(FieldName.entityTag, $0)] } ?? []
        let date = lastModified.map { [ServedField(FieldName.lastModified, $0)] } ?? []
        return tag + date
    }

    /// Validators and what the coding adds.
    var fields: [ServedField] { validators + codingFields }

    private static func isCoded(_ answer: Answer, _ context: AnswerContext) -> Bool {
        switch answer.gzip {
        case .never: false
        case .always: true
        case .negotiated:
            AcceptedCoding.allowsGzip(context.request.fields.combined(FieldName.acceptEncoding))
        }
    }

    private static func codingFields(_ answer: Answer, isCoded: Bool) -> [ServedField] {
        var fields: [ServedField] = []
        if isCoded { fields.append(ServedField(FieldName.contentEncoding, "gzip")) }
        if answer.gzip == .negotiated { fields.append(ServedField(FieldName.vary, FieldName.acceptEncoding)) }
        return fields
    }

    private static func lastModified(_ answer: Answer, _ context: AnswerContext) -> String? {
        switch answer.lastModified {
        case .offset(let seconds): context.startedAt.adding(seconds).text()
        case .text(let text): context.text(.text(text))
        case nil: nil
        }
    }
}
