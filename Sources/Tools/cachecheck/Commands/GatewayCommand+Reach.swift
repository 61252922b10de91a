import Addresses
import ArgumentParser
import CacheClient
import CacheGateway
import HTTPServing
import HTTPTypes

/// Which targets a gateway forwards to, and which fields it passes on.
extension GatewayCommand {
    /// Returns scheme and authority, without a slash at the end.
    func originAuthority() throws -> String? {
        guard let origin else { return nil }
        if let url = OriginURL(argument: origin) { return url.text }
        throw ValidationError("--origin: found \(origin), expected \(OriginURL.expected)")
    }

    /// Returns the mode of `--origin` and `--forward`.
    func mode() throws -> ProxyMode {
        guard let mode = ProxyMode(origin: try originAuthority(), forwards: forward) else {
            throw ValidationError("found neither --origin nor --forward, expected one of them")
        }
        return mode
    }

    /// Returns the names of `--host`.
    func hostNames() throws -> [String] {
        try host.map { name in
            let isName = !name.isEmpty && !name.contains { $0.isWhitespace || "/?#@".contains($0) }
            try demand(isName, "--host: found \"\(name)\", expected the name of a host")
            return name
        }
    }

    /// Returns the blocks of `--allow`.
    func allowedBlocks() throws -> [AddressBlock] {
        guard allow.isEmpty || forward else { throw ValidationError("--allow is only for --forward") }
        return try addressBlocks(allow)
    }

    /// Returns the names of `--tag-field`.
    func tagFields() throws -> [HTTPField.Name] {
        try tagField.map { text in
            guard let name = HTTPField.Name(text) else {
                throw ValidationError(
                    "--tag-field: found \(text), expected a field name such as Surrogate-Key"
                )
            }
            return name
        }
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

    /// Returns the names of `--pass-field`.
    func passedFields() throws -> [HTTPField.Name] {
        try passField.map { text in
            guard let name = HTTPField.Name(text), Gateway.canPass(name) else {
                throw ValidationError(
                    "--pass-field: found \(text), expected the name of a field that does not concern the connection"
                )
            }
            return name
        }
    }
}
