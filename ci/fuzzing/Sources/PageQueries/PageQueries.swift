import FuzzInput
import HTTPServing
import OriginScript

@testable import MockOrigin

/// The first line is the query of a page, the rest are field lines: what settings say, and what is answered with them.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let (query, rest) = FuzzInput(start, count).firstLineAndRest
    let fields = ServedField.lines(rest.bytes[...])
    for path in DemoSite.paths {
        for method in ["GET", "HEAD", "POST"] {
            answer(ServedRequest(method: method, target: path + "?" + query, fields: fields))
        }
    }
    return 0
}

private let site = DemoSite(settings: [:], matching: .path)
private let contents = ContentStore(folder: nil)

private func answer(_ request: ServedRequest) {
    let moment = HTTPTimestamp(seconds: 1_700_000_000)
    let context = AnswerContext(request: request, now: moment, startedAt: moment)
    let reply = ComposedReply.compose(site.answer(request), context, contents)
    precondition((100...999).contains(reply.head.status), "status \(reply.head.status)")
    for field in reply.head.fields {
        precondition(!field.name.isEmpty, "a field without a name")
    }
    _ = reply.rendered()
}
