import Addresses
import ArgumentParser
import CacheClient
import CacheGateway
import HTTPServing
import HTTPTypes

/// Which targets a gateway forwards to, and which fields it passes on.
extension GatewayCommand {
    /// Returns the mode of `--origin` and `--forward`.
    func mode() throws -> ProxyMode {
        guard let mode = ProxyMode(origin: origin?.text, forwards: forward) else {
            throw ValidationError("found neither --origin nor --forward, expected one of them")
        }
        return mode
    }

    /// Returns the blocks of `--allow`.
    func allowedBlocks() throws -> [AddressBlock] {
        guard allow.isEmpty || forward else { throw ValidationError("--allow is only for --forward") }
        return try addressBlocks(allow)
    }

    /// Returns the names of `--target`, none for `none`; `nil` without the option.
    func targetNames() throws -> [HTTPField.Name]? {
        if target.isEmpty { return nil }
        if target == ["none"] { return [] }
        return try target.map { text in
            guard text != "none", let name = HTTPField.Name(text) else {
                throw ValidationError(
                    "--target: found \"\(text)\", expected a field name such as CDN-Cache-Control, or none alone"
                )
            }
            return name
        }
    }
}

/// Reads the name of a host of `--host`.
let hostName = expecting("the name of a host") { text in
    text.isEmpty || text.contains { $0.isWhitespace || "/?#@".contains($0) } ? nil : text
}

/// Reads the name of a field of `--pass-field`.
let passedField = expecting("the name of a field that does not concern the connection") { text in
    HTTPField.Name(text).flatMap { Gateway.canPass($0) ? $0 : nil }
}
