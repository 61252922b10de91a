import CacheSemantics
import Explanation
import FuzzInput
import HTTPTypes

/// Heads as tools print them, and archives, with what is explained of them.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let text = FuzzInput(start, count).text
    let (request, response) = RawHead.split(text)
    _ = RawHead.field(text)
    _ = RawHead.absolute(text)
    _ = try? RawHead.request(text, file: "input.txt")
    if let response = try? RawHead.response(response, file: "input.txt") {
        let asked = request.flatMap { try? RawHead.request($0, file: "input.txt") } ?? usual
        explain(ExplainedExchange(request: asked, response: response, at: HTTPDate(secondsSinceEpoch: 0)))
    }
    guard let archive = try? HARFile(json: text, file: "input.har"), archive.count > 0 else { return 0 }
    for number in 1...min(archive.count, 8) {
        if let exchange = try? archive.exchange(number) { explain(exchange) }
    }
    return 0
}

private let usual = HTTPRequest(method: .get, scheme: "http", authority: "a.example", path: "/")

private func explain(_ exchange: ExplainedExchange) {
    _ = ExchangeExplanation(exchange)
}
