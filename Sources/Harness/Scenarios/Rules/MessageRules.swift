import CacheSemantics

/// Rules about messages, which no engine decides: a gateway's handling of ambiguous requests.
enum MessageRules {
    /// Ids, levels, sections, and descriptions of what is checked.
    static let all: [CatalogueRule] = [
        must(
            "rfc9110.5.5.characters",
            "RFC 9110 §5.5",
            "A field value that contains CR, LF or NUL is rejected, or they are replaced by spaces."
        ),
        must(
            "rfc9110.7.4.misdirected",
            "RFC 9110 §7.4",
            "A request for an origin that the server does not serve is rejected, for example with 421."
        ),
        must(
            "rfc9110.7.6.1.connection-fields",
            "RFC 9110 §7.6.1",
            "An intermediary forwards neither Connection nor the fields that it lists."
        ),
        must(
            "rfc9110.7.7.target",
            "RFC 9110 §7.7",
            "A proxy forwards path and query unchanged, except an empty path."
        ),
        must(
            "rfc9112.2.2.bare-cr",
            "RFC 9112 §2.2",
            "A CR without a following LF makes an element invalid, or is replaced by a space."
        ),
        rule(
            "rfc9112.2.2.bare-lf",
            .optimal,
            "RFC 9112 §2.2",
            "A bare LF need not be accepted as a line terminator, and cannot be used to smuggle requests."
        ),
        rule(
            "rfc9112.3.invalid-line",
            .should,
            "RFC 9112 §3",
            "An invalid request line is answered with 400 and not repaired."
        ),
        must(
            "rfc9112.3.2.host",
            "RFC 9112 §3.2",
            "An HTTP/1.1 request without Host, or with more than one, is answered with 400."
        ),
        must(
            "rfc9112.3.2.4.asterisk",
            "RFC 9112 §3.2.4",
            "The last proxy sends OPTIONS for a URI without path and query with the target *."
        ),
        must(
            "rfc9112.5.1.colon",
            "RFC 9112 §5.1",
            "A request with whitespace between a field's name and its colon is answered with 400."
        ),
        must(
            "rfc9112.5.2.folding",
            "RFC 9112 §5.2",
            "A folded line in a request is answered with 400, or the fold is replaced by spaces."
        ),
        rule(
            "rfc9112.6.1.unknown-coding",
            .should,
            "RFC 9112 §6.1",
            "An unknown transfer coding is answered with 501."
        ),
        must(
            "rfc9112.6.1.length-and-coding",
            "RFC 9112 §6.1",
            "After a request with both Content-Length and Transfer-Encoding, the connection is closed."
        ),
        must(
            "rfc9112.6.3.invalid-length",
            "RFC 9112 §6.3",
            "A request with an invalid Content-Length is answered with 400, and the connection is closed."
        ),
        must(
            "rfc9112.7.1.large-chunk",
            "RFC 9112 §7.1",
            "A chunk size is not truncated, however large it is."
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
