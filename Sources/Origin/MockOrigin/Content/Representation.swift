import Clocks
import FileWatching
import HTTPServing
import OriginScript

/// The selected representation of an answer: coded content, its validators and its fields.
struct Representation {
    /// The content as it is sent.
    let content: Content
    /// The `ETag` value as it is sent.
    let entityTag: String?
    /// The `Last-Modified` value as it is sent.
    let lastModified: String?
    private let otherFields: [ServedField]

    /// Content above this size is never coded, because it is not in memory.
    static let largestCoded = 16 << 20

    init(_ answer: Answer, _ context: AnswerContext, _ contents: ContentStore) throws(ContentStore.Missing) {
        let revisions = Revisions(answer.changes, context)
        let loaded = try contents.load(answer.body, context, revision: revisions.body)
        let coded = Self.isCoded(answer, context) ? Self.coded(loaded.content) : nil
        content = coded ?? loaded.content
        otherFields =
            Self.typeFields(answer, loaded.name) + Self.codingFields(answer, isCoded: coded != nil)
            + Self.rangeFields(answer)
        lastModified = Self.lastModified(answer, context, loaded.stamp, revisions.lastModified)
        let source = Self.tag(answer, context, contents, loaded, coded)
        let changed = source.map { Self.revised($0, revisions.entityTag) }
        entityTag = answer.violations.contains(.unquotedETag) ? changed?.replacing("\"", with: "") : changed
    }

    /// `ETag` and `Last-Modified`.
    var validators: [ServedField] {
        let tag = entityTag.map { [ServedField(FieldName.entityTag, $0)] } ?? []
        let date = lastModified.map { [ServedField(FieldName.lastModified, $0)] } ?? []
        return tag + date
    }

    /// Validators, and the fields that coding, ranges and type add.
    var fields: [ServedField] { validators + otherFields }

    // MARK: Coding

    private static func isCoded(_ answer: Answer, _ context: AnswerContext) -> Bool {
        switch answer.gzip {
        case .never: false
        case .always: true
        case .offered:
            answer.violations.contains(.gzipUnasked)
                || AcceptedCoding.allowsGzip(context.request.fields.combined(FieldName.acceptEncoding))
        }
    }

    private static func coded(_ content: Content) -> Content? {
        guard content.count <= largestCoded, let bytes = content.bytes() else { return nil }
        return Content(Gzip.compress(Array(bytes)))
    }

    private static func codingFields(_ answer: Answer, isCoded: Bool) -> [ServedField] {
        var fields: [ServedField] = []
        if isCoded, !answer.violations.contains(.gzipUnlabelled) {
            fields.append(ServedField(FieldName.contentEncoding, "gzip"))
        }
        if answer.gzip == .offered, !answer.violations.contains(.gzipWithoutVary) {
            fields.append(ServedField(FieldName.vary, FieldName.acceptEncoding))
        }
        return fields
    }

    private static func typeFields(_ answer: Answer, _ name: String?) -> [ServedField] {
        guard answer.typesByName, let name else { return [] }
        return [ServedField(FieldName.contentType, MediaType.of(name))]
    }

    private static func rangeFields(_ answer: Answer) -> [ServedField] {
        switch answer.ranges {
        case .ignored: []
        case .offered, .single: [ServedField(FieldName.acceptRanges, "bytes")]
        case .refused: [ServedField(FieldName.acceptRanges, "none")]
        }
    }

    // MARK: Validators

    private static func tag(
        _ answer: Answer,
        _ context: AnswerContext,
        _ contents: ContentStore,
        _ loaded: ContentStore.Loaded,
        _ coded: Content?
    ) -> String? {
        let isSame = answer.violations.contains(.sameETagForCodings)
        switch answer.entityTag {
        case .literal(let text):
            return literal(context.text(.text(text)), answer, isCoded: coded != nil && !isSame)
        case .file:
            let tag = loaded.stamp.map { stamp in
                let parts = [UInt64(stamp.size), UInt64(bitPattern: stamp.modifiedSeconds), stamp.node]
                return "\"" + parts.map { String($0, radix: 16) }.joined(separator: "-") + "\""
            }
            return tag.map { literal($0, answer, isCoded: coded != nil && !isSame) }
        // RFC 9110 §8.8.3: two codings of one content have two strong tags.
        case .md5:
            let digest =
                isSame || coded == nil
                ? contents.digest(of: loaded.content, loaded.stamp)
                : coded.flatMap { contents.digest(of: $0, nil) }
            return digest.map { "\"\($0)\"" }
        case nil: return nil
        }
    }

    /// Returns a scripted tag; a weak one is valid for both codings, a strong one is changed by the policy.
    private static func literal(_ tag: String, _ answer: Answer, isCoded: Bool) -> String {
        guard answer.gzip != .never, !tag.hasPrefix("W/") else { return tag }
        switch answer.codedTag {
        case .same: return tag
        case .weak: return answer.violations.contains(.sameETagForCodings) ? tag : "W/" + tag
        case .suffixed: return isCoded ? extended(tag, by: "-gzip") : tag
        }
    }

    private static func revised(_ tag: String, _ revision: Int) -> String {
        revision > 0 ? extended(tag, by: "-\(revision)") : tag
    }

    private static func extended(_ tag: String, by suffix: String) -> String {
        tag.hasSuffix("\"") ? tag.dropLast() + suffix + "\"" : tag + suffix
    }

    private static func lastModified(
        _ answer: Answer,
        _ context: AnswerContext,
        _ stamp: FileVersion?,
        _ laterSeconds: Int64
    ) -> String? {
        if answer.violations.contains(.lastModifiedInFuture), answer.lastModified != nil {
            return context.now.adding(3600).text()
        }
        switch answer.lastModified {
        case .offset(let offset):
            return context.startedAt.adding(offset.wholeSeconds).adding(laterSeconds).text()
        case .text(let text):
            let sent = context.text(.text(text))
            guard laterSeconds > 0, let moment = HTTPTimestamp(reading: sent, now: context.now) else {
                return sent
            }
            return moment.adding(laterSeconds).text()
        case .file:
            guard let stamp else { return nil }
            // RFC 9110 §8.8.2.1: a time in the future is replaced by the current time.
            return min(HTTPTimestamp(seconds: stamp.modifiedSeconds).adding(laterSeconds), context.now).text()
        case nil: return nil
        }
    }
}

/// The number of times that each property of an answer has changed by its schedule.
struct Revisions {
    let entityTag: Int
    let body: Int
    /// Seconds by which the modification time has moved.
    let lastModified: Int64

    init(_ changes: Changes, _ context: AnswerContext) {
        func revision(_ schedule: ChangeSchedule?) -> Int {
            schedule?.revision(count: context.count, elapsedSeconds: context.elapsedSeconds) ?? 0
        }
        entityTag = revision(changes.entityTag)
        body = revision(changes.body)
        let number = Int64(clamping: revision(changes.lastModified))
        if case .every(let duration) = changes.lastModified {
            let (seconds, overflow) = number.multipliedReportingOverflow(
                by: duration.limited.components.seconds
            )
            lastModified = overflow ? .max : seconds
        } else {
            lastModified = number
        }
    }
}
