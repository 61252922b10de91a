import CacheSemantics

/// The parts of a target URI in which two may differ.
enum URIPart: String {
    case scheme
    case authority
    case path
    case query

    /// Returns the first part in which two normalised URIs differ.
    static func differing(_ left: String, _ right: String) -> URIPart {
        let (here, there) = (parts(left), parts(right))
        for (part, place) in [(URIPart.scheme, 0), (.authority, 1), (.path, 2)]
        where here[place] != there[place] {
            return part
        }
        return .query
    }

    static func parts(_ uri: String) -> [Substring] {
        let origin = StoredResponse.origin(of: uri)
        let scheme = origin.prefix { $0 != ":" }
        let rest = uri.dropFirst(origin.count)
        let path = rest.prefix { $0 != "?" }
        return [scheme, origin.dropFirst(scheme.count), path, rest.dropFirst(path.count)]
    }
}
