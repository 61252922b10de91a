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
            let report = StoredReport(cache.engine, now: now, hidesCredentials: false)
            let entries = entries(of: cache.name).map { report.json($0.stored, size: $0.body.count) }
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

    /// Returns the entries that a cache has stored for the resource.
    func entries(of name: LabCacheName) -> [CacheEntry] {
        let port = (name == .gateway ? server.port : gateway.port) ?? 0
        let request = HTTPRequest(
            method: .get,
            scheme: "http",
            authority: "127.0.0.1:\(port)",
            path: LabOrigin.path
        )
        return caches[name]?.entries(of: request) ?? []
    }
}
