package import OriginScript

extension BodySource {
    /// The bytes that a caller sends or stores; files belong to the origin, so they are empty here.
    package var content: [UInt8] {
        switch self {
        case .text(let text): Array(text.utf8)
        case .bytes(let bytes): bytes
        // A prime period reveals pieces in the wrong order.
        case .generated(let size): (0..<max(0, size)).map { UInt8(ascii: "!") + UInt8($0 % 89) }
        case .file, .folder, .template, .templateFile: []
        }
    }
}
