import JSON
package import LocatedYAML

/// One setting of an answer: how it is written, read, and restricts what may be prepared.
package struct AnswerRow: Sendable {
    /// Name, values, default, meaning and example.
    package var reference: ReferenceRow
    /// Whether the setting, as an answer has it, lets every unconditional request for a target get the same response
    /// within a second.
    package var isSteady: @Sendable (Answer) -> Bool
    /// Sets the answer's property where the map has the key; called for every answer, in the order of the keys.
    package var read: @Sendable (inout Answer, MapReader<AnswerKey>) -> Void
}

extension ReferenceRow {
    /// Returns the row with what its setting lets be prepared, and how it is read.
    fileprivate func read(
        isSteady: @escaping @Sendable (Answer) -> Bool,
        _ read: @escaping @Sendable (inout Answer, MapReader<AnswerKey>) -> Void
    ) -> AnswerRow {
        AnswerRow(reference: self, isSteady: isSteady, read: read)
    }
}

extension AnswerKey {
    /// The rows of all keys in order.
    package static let table: [AnswerRow] = allCases.map(\.row)

    /// The row of the key.
    package var row: AnswerRow {
        switch self {
        case .status:
            ReferenceRow(
                rawValue,
                takes: ValueForm("a status from 100 to 999", SchemaValues.integer(100...999)),
                default: "200",
                "The status code",
                example: "{status: 404}"
            )
            .read(isSteady: { _ in true }) { answer, map in
                map.set(&answer.status, .status, .integer(in: 100...999))
            }
        case .reason:
            ReferenceRow(
                rawValue,
                takes: .text,
                default: "the standard phrase",
                "The reason phrase",
                example: "{status: 404, reason: Gone Fishing}"
            )
            .read(isSteady: { _ in true }) { answer, map in map.set(&answer.reason, .reason, .line) }
        case .fields:
            ReferenceRow(
                rawValue,
                takes: ValueForm(
                    "a map of names to values, or a list of `[name, value]` pairs",
                    SchemaValues.definition("fields")
                ),
                default: "none",
                "The field lines",
                example: "{fields: {Age: 60, Expires: {date: +60s}}}"
            )
            .explained(
                "A list keeps order and repetitions. A value is text, a number, a moment (below), or a "
                    + "list of these, one field line each. `${base}`, `${other}`, `${now}` and the variables of "
                    + "templates (below) are replaced"
            )
            .read(isSteady: { $0.fields.allSatisfy(\.value.isSteady) }) { answer, map in
                map.set(&answer.fields, .fields, FieldLine.answerListReader)
            }
        case .cacheControl:
            ReferenceRow(
                rawValue,
                takes: ValueForm("a field value", SchemaValues.scalar),
                default: "none",
                "The field `Cache-Control`, which replaces a line in `fields`",
                example: "{cache-control: max-age=60}"
            )
            .read(isSteady: { _ in true }) { answer, map in
                answer.readField(ShorthandField.cacheControl, .cacheControl, map)
            }
        case .vary:
            ReferenceRow(
                rawValue,
                takes: ValueForm("a field value", SchemaValues.text),
                default: "none",
                "The field `Vary`, which replaces a line in `fields`",
                example: "{vary: Accept}"
            )
            .read(isSteady: { _ in true }) { answer, map in
                answer.readField(ShorthandField.vary, .vary, map)
            }
        case .expires:
            ReferenceRow(
                rawValue,
                takes: ValueForm("an offset from the present such as +1h, or text", SchemaValues.scalar),
                default: "none",
                "The field `Expires`, which replaces a line in `fields`",
                example: "{expires: +1h}"
            )
            .read(isSteady: { _ in true }) { answer, map in
                if let value = map.optional(.expires, ExpiresText.reader) {
                    answer.setField(ShorthandField.expires, value)
                }
            }
        case .contentType:
            ReferenceRow(
                rawValue,
                takes: ValueForm("a media type, or auto", SchemaValues.text),
                default: "none; of a `folder` `auto`",
                "The field `Content-Type`, which replaces a line in `fields`; `auto` derives it from the "
                    + "name of a `file`",
                example: "{content-type: text/plain}"
            )
            .read(isSteady: { _ in true }) { answer, map in answer.readContentType(map) }
        case .cookies:
            ReferenceRow(
                rawValue,
                takes: ValueForm(
                    "a map of names to values, or to `{value, path, domain, max-age, same-site, secure, "
                        + "http-only}`",
                    [
                        "type": "object",
                        "additionalProperties": [
                            "anyOf": [SchemaValues.scalar, SchemaValues.definition("cookie")]
                        ],
                    ]
                ),
                default: "none",
                "One field `Set-Cookie` each",
                example: "{cookies: {sid: {value: abc, path: /}}}"
            )
            .read(isSteady: { _ in true }) { answer, map in
                answer.fields += map.optional(.cookies, Cookies.reader) ?? []
            }
        case .redirect:
            ReferenceRow(
                rawValue,
                takes: ValueForm("a URI reference", SchemaValues.text),
                default: "none",
                "The field `Location`; the status is 302 unless given",
                example: "{redirect: /new}"
            )
            .read(isSteady: { _ in true }) { answer, map in answer.readRedirect(map) }
        case .date:
            ReferenceRow(
                rawValue,
                takes: ValueForm("now, none, an offset such as -60s, or text", SchemaValues.text),
                default: "`now`",
                "The origin's own field `Date`",
                example: "{date: -60s}"
            )
            .read(isSteady: { $0.date.isSteady }) { answer, map in
                map.set(&answer.date, .date, DateLine.reader)
            }
        case .body:
            ReferenceRow(
                rawValue,
                takes: ValueForm(
                    "text, or a map",
                    ["anyOf": [SchemaValues.scalar, SchemaValues.definition("body")]]
                ),
                default: "empty",
                "The content before any content coding",
                example: "{body: {size: 20KiB}}"
            )
            .explained(
                "A map is one of `{size: 20KiB}` (a repeatable pattern, at most 1 GiB), `{json: …}` "
                    + "(written without blanks, keys in the order of the file), `{base64: …}`, `{file: "
                    + "image.jpg}` (a file of `fixtures/`), `{folder: images}` (the file below it that the "
                    + "path, or its `**`, names), `{template: text}`, `{template-file: name}`"
            )
            .read(isSteady: { $0.body.isSteady }) { answer, map in answer.readBody(map) }
        case .etag:
            ReferenceRow(
                rawValue,
                takes: ValueForm(
                    #"an entity tag with its quotes (`'"v1"'`, `W/"v1"`), md5, file or none"#,
                    ["type": "string", "pattern": "^(md5|file|none|(W/)?\".*\")$"]
                ),
                default: "none; of a `folder` `md5`",
                "The field `ETag`: a literal value, the `md5` of the body, or derived from path, size and "
                    + "time of a `file`",
                example: #"{etag: '"v1"'}"#
            )
            .explained("For an ETag that is not an entity tag, use `fields`")
            .read(isSteady: { $0.entityTag?.isSteady ?? true }) { answer, map in answer.readEntityTag(map) }
        case .lastModified:
            ReferenceRow(
                rawValue,
                takes: ValueForm("an offset such as -100d, file, none, or text", SchemaValues.text),
                default: "none; of a `folder` `file`",
                "The field `Last-Modified`, an offset being counted from the start of the scenario",
                example: "{last-modified: -100d}"
            )
            .read(isSteady: { $0.lastModified?.isSteady ?? true }) { answer, map in
                answer.readLastModified(map)
            }
        case .conditional:
            ReferenceRow(
                rawValue,
                takes: ValueForm("evaluate or ignore", SchemaValues.words(["evaluate", "ignore"])),
                default: "`evaluate`",
                "Whether preconditions (RFC 9110 §13) are evaluated against `etag` and `last-modified`",
                example: #"{etag: '"v1"', conditional: ignore}"#
            )
            .read(isSteady: { _ in true }) { answer, map in
                map.set(
                    &answer.evaluatesPreconditions,
                    .conditional,
                    Reader.word(of: ["evaluate", "ignore"]).map { $0 == "evaluate" }
                )
            }
        case .gzip:
            ReferenceRow(
                rawValue,
                takes: ValueForm(
                    "true, false, always, or `{when: …, etag: …}`",
                    ["anyOf": [["enum": [true, false, "always"]], SchemaValues.definition("gzip")]]
                ),
                default: "`false`",
                "When the content is coded: with `true` where Accept-Encoding allows it, with `Vary: "
                    + "Accept-Encoding`",
                example: "{gzip: {when: true, etag: weak}}"
            )
            .explained(
                #"`etag` says how the content coding changes a literal strong tag: `suffix` (`"v1-gzip"` "#
                    + "when coded), `weak`, `same`. Bodies above 16 MiB are not coded"
            )
            .read(isSteady: { _ in true }) { answer, map in answer.readGzip(map) }
        case .ranges:
            ReferenceRow(
                rawValue,
                takes: ValueForm(
                    "true, false, single or refuse",
                    ["enum": [true, false, "single", "refuse"]]
                ),
                default: "`false`; of a `folder` `true`",
                "Whether `Range` and `If-Range` are evaluated (RFC 9110 §14: 206, `multipart/byteranges`, "
                    + "416)",
                example: "{ranges: true}"
            )
            .explained(
                "With `Accept-Ranges: bytes`. `single`: several ranges get the whole; `refuse`: "
                    + "`Accept-Ranges: none`; `false`: nothing"
            )
            .read(isSteady: { _ in true }) { answer, map in
                map.set(&answer.ranges, .ranges, Reader<RangeSupport>.choice)
            }
        case .changes:
            ReferenceRow(
                rawValue,
                takes: ValueForm(
                    "a map of `etag`, `last-modified`, `body` to when each changes",
                    SchemaValues.definition("changes")
                ),
                default: "none",
                "Changes by time or by number of requests",
                example: "{body: {size: 9}, changes: {body: 10s}}"
            )
            .explained(
                "A duration on the origin's clock (`10s`) or a number of requests (`3 requests`). The "
                    + "n-th change of a tag adds `-n` to it, that of `last-modified` moves it to the moment of "
                    + "the change (by requests: a second later), that of `body` is `${revision}` in its "
                    + "template or shifts the pattern of `size`"
            )
            .read(isSteady: { $0.changes == Changes() }) { answer, map in
                map.set(&answer.changes, .changes, Changes.reader)
                answer.checkChanges(map)
            }
        case .violations:
            ReferenceRow(
                rawValue,
                takes: ValueForm(
                    "a name or a list of names (below)",
                    [
                        "anyOf": [
                            SchemaValues.definition("violation"),
                            ["type": "array", "items": SchemaValues.definition("violation"), "minItems": 1],
                        ]
                    ]
                ),
                default: "none",
                "Protocol violations of the response",
                example: "{violations: 304-with-body}"
            )
            .read(isSteady: { _ in true }) { answer, map in
                map.set(&answer.violations, .violations, Reader<Violation>.choice.oneOrMore().map { Set($0) })
            }
        case .chunks:
            ReferenceRow(
                rawValue,
                takes: ValueForm("a list of sizes", ["type": "array", "items": SchemaValues.size]),
                default: "one piece",
                "Sizes of the pieces in which the body is sent; the remainder is the last piece",
                example: "{chunks: [100, 1KiB]}"
            )
            .read(isSteady: { $0.chunks.isEmpty }) { answer, map in answer.readChunks(map) }
        case .framing:
            ReferenceRow(
                rawValue,
                takes: ValueForm(
                    "length, chunked or close",
                    SchemaValues.words(Framing.allCases.map(\.rawValue))
                ),
                default: "`length`, with `chunks` `chunked`",
                "How the end of the content is marked",
                example: "{framing: chunked}"
            )
            .read(isSteady: { $0.framing != .close }) { answer, map in
                map.set(&answer.framing, .framing, Reader<Framing>.choice)
            }
        case .delay:
            ReferenceRow(
                rawValue,
                takes: ValueForm("a duration such as 200ms", SchemaValues.duration),
                default: "`0s`",
                "The delay before the head",
                example: "{delay: 200ms}"
            )
            .read(isSteady: { $0.delay == .zero }) { answer, map in
                map.set(&answer.delay, .delay, .duration)
            }
        case .chunkDelay:
            ReferenceRow(
                rawValue,
                takes: ValueForm("a duration such as 200ms", SchemaValues.duration),
                default: "`0s`",
                "The time before each piece",
                example: "{chunks: [1, 1], chunk-delay: 1s}"
            )
            .read(isSteady: { $0.chunkDelay == .zero }) { answer, map in
                map.set(&answer.chunkDelay, .chunkDelay, .duration)
            }
        case .rate:
            ReferenceRow(
                rawValue,
                takes: ValueForm("a size above 0", SchemaValues.size),
                default: "unlimited",
                "Bytes per second of the body",
                example: "{rate: 50KiB}"
            )
            .read(isSteady: { $0.rate == nil }) { answer, map in
                map.set(
                    &answer.rate,
                    .rate,
                    Reader.size.when({ $0 > 0 }, expected: "at least one byte per second")
                )
            }
        case .hold:
            ReferenceRow(
                rawValue,
                takes: ValueForm("head or body", SchemaValues.words(HoldPoint.allCases.map(\.rawValue))),
                default: "none",
                "Where the response is held until a `release` step",
                example: "{hold: body}"
            )
            .read(isSteady: { $0.hold == nil }) { answer, map in
                map.set(&answer.hold, .hold, Reader<HoldPoint>.choice)
            }
        case .fail:
            ReferenceRow(
                rawValue,
                takes: ValueForm(
                    "close@N, reset@N, close@head, reset@head, never, or a fault as text",
                    ["type": "string", "pattern": "^(never|[a-z-]+(=.*)?@.+)$"]
                ),
                default: "none",
                "A fault in short form: after N bytes of the body, before the head, or `never` (accepts "
                    + "and never answers)",
                example: "{body: abcdef, fail: close@4}"
            )
            .read(isSteady: { $0.faults.isEmpty }) { answer, map in
                answer.faults += map.optional(.fail, Fault.failReader).map { [$0] } ?? []
            }
        case .faults:
            ReferenceRow(
                rawValue,
                takes: ValueForm("a fault or a list", SchemaValues.definition("faults")),
                default: "none",
                "Faults of the response, §4.1",
                example: "{faults: [reset@body:4]}"
            )
            .read(isSteady: { $0.faults.isEmpty }) { answer, map in
                answer.faults += map.optional(.faults, Fault.answerReader.oneOrMore()) ?? []
            }
        case .interim:
            ReferenceRow(
                rawValue,
                takes: ValueForm(
                    "a list of `{status: 103, fields: {…}}`",
                    ["type": "array", "items": SchemaValues.definition("interim")]
                ),
                default: "none",
                "1xx responses sent before",
                example: "{interim: [{status: 103}]}"
            )
            .read(isSteady: { $0.interim.isEmpty }) { answer, map in
                map.set(&answer.interim, .interim, InterimAnswer.reader.list())
            }
        }
    }
}
