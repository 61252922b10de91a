import CacheGateway
import CacheSemantics
import CacheStorage
import Clocks
import HTTPTypes
package import JSON
import Locks
import MockOrigin

extension CachingLab {
    /// The clock, the origin and what each cache holds, for the page.
    package var state: JSONValue {
        let now = clock.now
        let origin = origin.withLock { $0 }
        let caches = LabCacheName.allCases.compactMap { name in self.caches[name] }.map { cache in
            let entries = entries(of: cache.name).map { json($0, cache.engine, now) }
            return JSONValue.object([
                ("name", .string(cache.name.rawValue)), ("kind", .string(cache.engine.kind.rawValue)),
                ("entries", .array(entries)),
            ])
        }
        return [
            "now": .string(now.text), "seconds": .decimal(clock.wallSeconds, places: 3),
            "running": .bool(clock.isRunning), "url": .string(url), "originURL": .string(originURL),
            "origin": [
                "up": .bool(origin.isUp), "version": .integer(origin.version),
                "modified": .string(origin.modified.text), "respond": .string("\(origin.resource)"),
            ],
            "caches": .array(caches),
        ]
    }

    /// Returns what a cache has stored for the resource.
    func entries(of name: LabCacheName) -> [CacheEntry] {
        let port = name == .gateway ? server.port : gateway.port
        let request = HTTPRequest(
            method: .get,
            scheme: "http",
            authority: "127.0.0.1:\(port)",
            path: LabOrigin.path
        )
        return caches[name]?.entries(of: request) ?? []
    }

    private func json(_ entry: CacheEntry, _ engine: CacheEngine, _ now: HTTPDate) -> JSONValue {
        let stored = entry.stored
        let lifetime = engine.lifetimeTerms(of: stored)
        let control = engine.directives(of: stored)
        let selecting = stored.vary.names.map { name in
            JSONValue.array([.string(name.rawName), JSONValue(stored.selectingFields[name])])
        }
        return [
            "status": .integer(stored.statusCode), "fields": stored.response.headerFields.json,
            "selecting": .array(selecting), "size": .integer(entry.body.count),
            "partial": .bool(stored.parts != nil),
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
}
