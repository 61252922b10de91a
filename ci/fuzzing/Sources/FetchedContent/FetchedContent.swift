import Clocks
import FuzzInput
import HTTPTypes
import JSON

@testable import Fetching

/// Content that is decoded, names that servers give to files, cookies, and what stands beside a part of a download.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let input = FuzzInput(start, count)
    if let value = try? JSONValue(parsing: input.bytes) {
        let again = try? JSONValue(parsing: Array(value.written().utf8))
        precondition(again != nil, "JSON that was written is not read again")
    }
    _ = try? XMLReader.root(of: input.bytes, depthLimit: 64)
    for name in [FileName.of(url: input.text), FileName.of(disposition: input.text) ?? "a"] {
        let isPart = !name.isEmpty && !name.utf8.contains(UInt8(ascii: "/"))
        precondition(isPart && name != "..", "\(name) leaves its folder")
    }
    _ = CookieDate.sinceEpoch(input.text)
    _ = PartialRecord(text: input.text)
    readCookies(input.lines)
    return 0
}

private func readCookies(_ lines: [String]) {
    let cookies = CookieStorage(clock: VirtualClock(timeSinceEpoch: .seconds(1_700_000_000)))
    var fields = HTTPFields()
    for line in lines.prefix(50) { fields.append(HTTPField(name: .setCookie, value: line)) }
    cookies.store(fields, from: "https://www.a.example/b/c")
    _ = cookies.field(for: "https://www.a.example/b/c/d")
}
