import Ccurl

/// The abilities of the available libcurl, determined at run time: it may differ from the library used at build time.
enum CurlVersion {
    /// Whether an easy handle may carry several transfers, one after another.
    static let reusesHandles = allowsReuse(cachecheck_version_number())

    /// Returns whether a version allows that.
    ///
    /// Before 8.1.0, a handle keeps a pointer to the last field line of its last transfer, which is freed when the
    /// next one starts, and writes there when the first field line of the next response is folded (curl issue 11101).
    static func allowsReuse(_ version: UInt32) -> Bool { version >= 0x080100 }
}

extension CurlTransport {
    /// Names and versions of libcurl and of its libraries, and which defects of libcurl are worked around.
    public static var libraryVersion: String {
        let names = String(cString: curl_version()).split(separator: " ", maxSplits: 1).map(String.init)
        let own = (names.first ?? "libcurl").replacing("/", with: " ")
        let workaround = CurlVersion.reusesHandles ? "" : " (easy handles are not reused: fixed in 8.1.0)"
        return ([own + workaround] + names.dropFirst()).joined(separator: ", ")
    }
}
