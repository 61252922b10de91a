package import CacheSemantics
import HTTPTypes
package import JSON

/// A cache's stored responses with their freshness, for pages and APIs.
package struct StoredReport {
    private static let credentials: Set<HTTPField.Name> = [
        .authorization, .cookie, .setCookie, .proxyAuthorization,
    ]
    private let engine: CacheEngine
    private let now: HTTPDate
    private let hidesCredentials: Bool

    /// Creates a report at a time; with `hidesCredentials`, the values of cookies and of `Authorization` are left out.
    package init(_ engine: CacheEngine, now: HTTPDate, hidesCredentials: Bool) {
        (self.engine, self.now, self.hidesCredentials) = (engine, now, hidesCredentials)
    }

    /// Returns a stored response of this many bytes.
    package func json(_ stored: StoredResponse, size: Int) -> JSONValue {
        let lifetime = engine.lifetimeTerms(of: stored)
        let control = engine.directives(of: stored)
        let selecting = stored.vary.names.map { name in
            JSONValue.array([.string(name.rawName), JSONValue(shown(name, stored.selectingFields[name]))])
        }
        let fields = stored.response.headerFields.map { field in
            JSONValue.array([.string(field.name.rawName), .string(shown(field.name, field.value) ?? "")])
        }
        return [
            "status": .integer(stored.statusCode), "fields": .array(fields), "selecting": .array(selecting),
            "size": .integer(size), "partial": .bool(stored.parts != nil),
            "invalidated": .bool(stored.isInvalidated), "lifetime": .integer(lifetime.seconds),
            "source": .string(lifetime.source.rawValue), "rule": .string(lifetime.rule.rawValue),
            "section": .string(lifetime.rule.section),
            "age": .integer(engine.ageTerms(of: stored, now: now).sum),
            "noCache": .bool(control.noCache == .everything),
            "staleWhileRevalidate": JSONValue(control.staleWhileRevalidate),
            "staleIfError": JSONValue(control.staleIfError),
            "mayBeStale": .bool(engine.staleProhibition(of: stored) == nil),
            "validator": JSONValue(
                stored.response.headerFields[.eTag] ?? stored.response.headerFields[.lastModified]
            ),
        ]
    }

    private func shown(_ name: HTTPField.Name, _ value: String?) -> String? {
        hidesCredentials && Self.credentials.contains(name) ? value.map { _ in "(hidden)" } : value
    }
}
