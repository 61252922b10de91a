import CacheSemantics

/// Rules about messages, which no engine decides: a gateway's handling of ambiguous requests.
enum MessageRules {
    /// Ids, levels, sections, and descriptions of what is checked.
    static let all: [CatalogueRule] = [
        must(
            "rfc9110.5.5.characters",
            "RFC 9110 §5.5",
            "A field value with CR, LF or NUL in it is refused, or they become spaces."
        ),
        must(
            "rfc9110.7.4.misdirected",
            "RFC 9110 §7.4",
            "A request for an origin that the server does not answer for is refused, as with 421."
        ),
        must(
            "rfc9110.7.6.1.connection-fields",
            "RFC 9110 §7.6.1",
            "An intermediary forwards neither Connection nor the fields that it names."
        ),
        must(
            "rfc9110.7.7.target",
            "RFC 9110 §7.7",
            "A proxy forwards path and query as they were received, but for an empty path."
        ),
        must(
            "rfc9112.2.2.bare-cr",
            "RFC 9112 §2.2",
            "A CR that no LF follows makes an element invalid, or becomes a space."
        ),
        rule(
            "rfc9112.2.2.bare-lf",
            .optimal,
            "RFC 9112 §2.2",
            "An LF alone need not be taken for the end of a line, and what reads it otherwise is not fooled."
        ),
        rule(
            "rfc9112.3.invalid-line",
            .should,
            "RFC 9112 §3",
            "An invalid request line is answered 400, and not mended."
        ),
        must(
            "rfc9112.3.2.host",
            "RFC 9112 §3.2",
            "A request of HTTP/1.1 without Host, or with more than one, is answered 400."
        ),
        must(
            "rfc9112.3.2.4.asterisk",
            "RFC 9112 §3.2.4",
            "The last proxy sends an OPTIONS of a URI without path and query with the target *."
        ),
        must(
            "rfc9112.5.1.colon",
            "RFC 9112 §5.1",
            "A request with whitespace between a field's name and its colon is answered 400."
        ),
        must(
            "rfc9112.5.2.folding",
            "RFC 9112 §5.2",
            "A folded line of a request is answered 400, or the fold becomes spaces."
        ),
        rule(
            "rfc9112.6.1.unknown-coding",
            .should,
            "RFC 9112 §6.1",
            "A transfer coding that is not known is answered 501."
        ),
        must(
            "rfc9112.6.1.length-and-coding",
            "RFC 9112 §6.1",
            "After a request with both Content-Length and Transfer-Encoding the connection is closed."
        ),
        must(
            "rfc9112.6.3.invalid-length",
            "RFC 9112 §6.3",
            "A request with an invalid Content-Length is answered 400, and the connection is closed."
        ),
        must(
            "rfc9112.7.1.large-chunk",
            "RFC 9112 §7.1",
            "The size of a chunk is not cut off, however large the number is."
        ),
    ]

    private static func must(_ id: String, _ source: String, _ sentence: String) -> CatalogueRule {
        rule(id, .must, source, sentence)
    }

    private static func rule(
        _ id: String,
        _ level: RuleLevel,
        _ source: String,
        _ sentence: String
    ) -> CatalogueRule {
        CatalogueRule(id: id, level: level, source: source, sentence: sentence)
    }
}
