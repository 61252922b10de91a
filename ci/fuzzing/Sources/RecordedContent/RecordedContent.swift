import FuzzInput
import MockOrigin
import Recording

/// The first line is a Content-Type, the second a Content-Encoding, the rest a target, a field and content.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let (type, rest) = FuzzInput(start, count).firstLineAndRest
    let (coding, content) = rest.firstLineAndRest
    var fields = [
        CapturedExchange.Field("Content-Type", type), .init("Cookie", coding), .init("Link", content.text),
    ]
    if !coding.isEmpty { fields.append(.init("Content-Encoding", coding)) }
    var exchange = CapturedExchange(
        method: "POST",
        origin: "http://a.example",
        target: "/" + type,
        response: .init(status: 200, fields: fields, body: content.bytes),
        at: .zero
    )
    (exchange.requestFields, exchange.requestBody) = (fields, content.bytes)
    let redaction = Redaction()
    _ = redaction.obstacle(in: exchange)
    let clean = redaction.applied(to: exchange)
    precondition(redaction.applied(to: clean) == clean, "what is clean is not clean")
    _ = try? Site.replaying([exchange, clean])
    return 0
}
