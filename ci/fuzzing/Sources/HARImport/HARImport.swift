import FuzzInput
import Recording

/// HTTP archives and saved failures; what an archive is read as is written, and must be read again.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let text = FuzzInput(start, count).text
    if let exchanges = try? HARFile.exchanges(text, file: "input.har") {
        let again = try? HARFile.exchanges(
            HARFile.text(exchanges, redaction: Redaction(isOn: false), version: "0"),
            file: "again.har"
        )
        precondition(again?.count == exchanges.count, "an archive that was written is not read again")
    }
    _ = try? SavedFailure(json: text, file: "input.json")
    return 0
}
