import Ccurl

/// What the libcurl at hand can be trusted with, decided when the program runs: the library may be another one then.
enum CurlVersion {
    /// Whether an easy handle may carry one transfer after the other.
    static let reusesHandles = allowsReuse(cachecheck_version_number())

    /// Before 8.1.0 a handle keeps a pointer to the last field line of its last transfer, which is freed when the next one
    /// begins, and writes there when the first field line of the next response is folded (curl issue 11101).
    static func allowsReuse(_ version: UInt32) -> Bool { version >= 0x080100 }
}

extension CurlTransport {
    /// Names and versions of libcurl and of the libraries that it uses, and which of its defects are worked around.
    public static var libraryVersion: String {
        let names = String(cString: curl_version()).split(separator: " ", maxSplits: 1).map(String.init)
        let own = (names.first ?? "libcurl").replacing("/", with: " ")
        let workaround = CurlVersion.reusesHandles ? "" : " (easy handles are not reused: fixed in 8.1.0)"
        return ([own + workaround] + names.dropFirst()).joined(separator: ", ")
    }
}
