/// Paths of files, read by bytes as the system does.
///
/// To the eye, and so to `Character`, a slash can be one with its neighbours.
public enum PathText {
    /// What stands between the slashes, in order; empty where nothing does.
    public static func segments(_ path: String) -> [String] {
        path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).map {
            String(Substring($0))
        }
    }

    /// Whether a path stays below the folder that it is relative to: no segment of it is "..", and it has no NUL.
    public static func staysBelow(_ path: String) -> Bool {
        !path.utf8.contains(0) && !segments(path).contains("..")
    }
}
