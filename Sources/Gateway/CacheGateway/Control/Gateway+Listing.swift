import CacheSemantics
import CacheStorage
import Clocks
import HTTPTypes
import JSON

extension Gateway {
    /// The present second of its clock.
    var now: HTTPDate {
        HTTPDate(secondsSinceEpoch: Int64(exactly: clock.wallSeconds.rounded(.down)) ?? 0)
    }

    /// Returns at most `count` stored responses, those used most recently first.
    func listing(most count: Int) throws(StorageError) -> [JSONValue] {
        let report = StoredReport(engine, now: now, hidesCredentials: true)
        return try store.listing(most: count).map { listed in
            let stored = listed.stored
            return report.json(stored, size: listed.size).adding([
                "method": .string(stored.method.rawValue), "url": .string(stored.key.targetURI),
            ])
        }
    }
}
