/// Paths of files, read by bytes as the system does.
///
/// To the eye, and so to `Character`, a slash can be one with its neighbours.
public enum PathText {
    /// What stands between the slashes of a relative path, in order, empty where nothing does; `nil` for a path that does
    /// not stay below its folder, because a segment is "..", or that has a NUL.
    public static func segmentsBelow(_ path: String) -> [String]? {
        guard !path.utf8.contains(0) else { return nil }
        let segments = path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).map {
            String(Substring($0))
        }
        return segments.contains("..") ? nil : segments
    }
}
