/// Functions on base URLs and paths.
enum RequestURL {
    /// Whether a path is an absolute URL.
    static func isAbsolute(_ path: String) -> Bool {
        guard let colon = path.range(of: "://") else { return false }
        let scheme = path[..<colon.lowerBound]
        return scheme.first?.isLetter == true
            && scheme.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "+-.".contains($0)) }
    }

    /// Joins a base URL and a path with exactly one slash.
    static func join(_ base: String, _ path: String) -> String {
        let root = base.reversed().drop { $0 == "/" }.reversed()
        if path.isEmpty { return base }
        if path.hasPrefix("?") || path.hasPrefix("#") { return String(root) + path }
        return String(root) + "/" + path.drop { $0 == "/" }
    }

    /// Returns the path and query of an absolute URL, as in the request line.
    static func target(of url: String) -> String {
        guard let colon = url.range(of: "://") else { return "/" }
        let target = url[colon.upperBound...].drop { !"/?#".contains($0) }.prefix { $0 != "#" }
        return target.hasPrefix("/") ? String(target) : "/" + target
    }
}

extension String {
    /// Returns the range of the first occurrence of a text.
    fileprivate func range(of text: String) -> Range<Index>? {
        guard let first = text.first else { return nil }
        var start = startIndex
        while let found = self[start...].firstIndex(of: first) {
            if self[found...].hasPrefix(text) { return found..<index(found, offsetBy: text.count) }
            start = index(after: found)
        }
        return nil
    }
}
