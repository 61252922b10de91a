/// File paths, split at bytes as the system does.
///
/// A `Character` may combine a slash with combining marks after it.
public enum PathText {
    /// Returns the segments of a relative path, in order, including empty ones; `nil` for a path that leaves its folder
    /// through a segment "..", or has a NUL.
    public static func segmentsBelow(_ path: String) -> [String]? {
        guard !path.utf8.contains(0) else { return nil }
        let segments = path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).map {
            String(Substring($0))
        }
        return segments.contains("..") ? nil : segments
    }
}
