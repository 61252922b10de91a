package import JSON
import TextCodings

/// Files as SARIF names them (SARIF 2.1.0 §3.4).
package enum SARIFArtifact {
    /// Returns the artifact location of a path: relative ones are below the root of the sources.
    package static func location(of path: String) -> JSONValue {
        let isAbsolute = path.hasPrefix("/")
        let uri = PercentText.encode(path) { PercentText.isUnreserved($0) || $0 == UInt8(ascii: "/") }
        return .object(
            [("uri", .string((isAbsolute ? "file://" : "") + uri))]
                + (isAbsolute ? [] : [("uriBaseId", "%SRCROOT%")])
        )
    }
}
