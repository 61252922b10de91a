public import CacheSemantics
import JSON

/// The information about an entry of the application cache, stored next to its content.
public struct CacheInformation: Sendable, Hashable {
    /// The identifier of the request.
    public var identifier: RequestIdentifier
    /// The request's method.
    public var method: String
    /// The complete URL of the request.
    public var url: String
    /// When the entry was stored, since 1970-01-01T00:00:00Z.
    public var created: Duration
    /// The time for which the entry may be used.
    public var duration: Duration
    /// The version of the application that stored the entry.
    public var applicationVersion: String
    /// A digest of the configuration's default parameters when the entry was stored.
    public var defaults: String
    /// The status of the response, 100–999.
    public var status: Int
    /// The response's Content-Type; `nil` if it had none.
    public var contentType: String?
    /// The length of the content.
    public var length: ByteCount
    /// The MD5 digest of the content, which shows whether both files belong together.
    public var digest: String

    /// When the entry expires, since 1970-01-01T00:00:00Z.
    public var expires: Duration { created + duration }

    /// Returns the reason why the entry may not be used; `nil` if it may.
    func problem(at now: Duration, _ context: CacheContext) -> CacheLookup.MissReason? {
        guard now >= created, now <= expires else { return .expired }
        guard applicationVersion == context.applicationVersion else {
            return .otherVersion(applicationVersion)
        }
        return defaults == context.defaults ? nil : .otherDefaults
    }
}

extension CacheInformation {
    /// The JSON form, as stored in the file.
    var json: JSONValue {
        [
            "identifier": .string(identifier.description), "method": .string(method), "url": .string(url),
            "created": .number(created.seconds), "duration": .number(duration.seconds),
            "expires": .number(expires.seconds),
            "applicationVersion": .string(applicationVersion), "defaults": .string(defaults),
            "status": .integer(status), "contentType": contentType.map { .string($0) } ?? .null,
            "length": .integer(length.bytes), "digest": .string(digest),
        ]
    }

    /// Parses what `json` writes; `nil` for anything else.
    init?(_ json: JSONValue) {
        guard let identifier = json["identifier"]?.text.flatMap({ RequestIdentifier($0) }),
            let method = json["method"]?.text, let url = json["url"]?.text,
            let created = json["created"]?.double, let duration = json["duration"]?.double,
            let version = json["applicationVersion"]?.text, let defaults = json["defaults"]?.text,
            let status = json["status"]?.integer, (100...999).contains(status),
            let length = json["length"]?.integer, length >= 0, let digest = json["digest"]?.text
        else { return nil }
        self.init(
            identifier: identifier,
            method: method,
            url: url,
            created: .saturating(seconds: created),
            duration: .saturating(seconds: duration),
            applicationVersion: version,
            defaults: defaults,
            status: status,
            contentType: json["contentType"]?.text,
            length: .bytes(length),
            digest: digest
        )
    }
}
