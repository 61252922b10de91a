import FuzzInput
import MockOrigin
import OriginScript

/// Files of routes, faults and network profiles.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let text = FuzzInput(start, count).text
    _ = try? SiteFile.decode(text, file: "site.yaml")
    _ = try? SiteFile.decode(text, file: "site.json")
    _ = try? FaultsFile.decode(text, file: "faults.yaml")
    _ = try? NetworkFile.decode(text, file: "network.yaml")
    return 0
}
