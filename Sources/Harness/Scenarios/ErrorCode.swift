/// Foundation's URL error codes with the names that scenarios use.
package enum ErrorCode {
    /// Names and codes, in the order of the documentation; `none` is 0.
    package static let names: [(name: String, code: Int)] = [
        ("none", 0), ("cancelled", -999), ("bad-url", -1000), ("timed-out", -1001),
        ("unsupported-url", -1002),
        ("cannot-find-host", -1003), ("cannot-connect", -1004), ("connection-lost", -1005),
        ("too-many-redirects", -1007), ("resource-unavailable", -1008), ("offline", -1009),
        ("bad-response", -1011), ("secure-connection-failed", -1200), ("certificate-expired", -1201),
        ("certificate-untrusted", -1202), ("certificate-unknown-authority", -1203),
        ("certificate-not-yet-valid", -1204), ("client-certificate-rejected", -1205),
        ("client-certificate-required", -1206), ("unknown", -1), ("unacceptable-type", -1016),
        ("cannot-parse", -1017), ("roaming-off", -1018), ("data-not-allowed", -1020),
        ("file-does-not-exist", -1100),
    ]

    /// The names with their codes, as Markdown.
    static var list: String {
        names.map { $0.code == 0 ? "`\($0.name)`" : "`\($0.name)` −\(-$0.code)" }.joined(separator: ", ")
    }

    /// Returns the code of a name.
    package static func code(named name: String) -> Int? {
        names.first { $0.name == name }?.code
    }

    /// Returns `−1001 timed-out`, or only the number if the code has no name here.
    package static func text(of code: Int) -> String {
        let name = names.first { $0.code == code }?.name
        return name.map { code == 0 ? $0 : "\(code) (\($0))" } ?? String(code)
    }
}
