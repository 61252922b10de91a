import CacheSemantics
@testable import Explanation
import FuzzInput
import HTTPArchive
import HTTPTypes

/// Heads as tools print them, and archives, with what is explained of them.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let text = FuzzInput(start, count).text
    _ = RawHead.field(text)
    _ = RawHead.absolute(text)
    _ = try? RawHead.request(text, file: "input.txt")
    for (request, response) in RawHead.exchanges(in: text) {
        guard let response = try? RawHead.response(response, file: "input.txt") else { continue }
        let asked = request.flatMap { try? RawHead.request($0, file: "input.txt") } ?? usual
        explain(ExplainedExchange(request: asked, response: response, at: HTTPDate(secondsSinceEpoch: 0)))
    }
    guard let archive = try? HTTPArchive(json: text, file: "input.har") else { return 0 }
    for entry in archive.entries.prefix(8) {
        if let exchange = try? ExplainedExchange(entry) { explain(exchange) }
    }
    return 0
}

private let usual = HTTPRequest(method: .get, scheme: "http", authority: "a.example", path: "/")

private func explain(_ exchange: ExplainedExchange) {
    _ = ExchangeExplanation(exchange)
}
