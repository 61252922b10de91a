import CacheSemantics
import CacheStorage
import Clocks
import HTTPTypes
import JSON

extension Gateway {
    /// Returns at most `count` stored responses, those used most recently first.
    func listing(most count: Int) throws(StorageError) -> [JSONValue] {
        let report = StoredReport(engine, now: clock.now, hidesCredentials: true)
        return try store.listing(most: count).map { listed in
            let stored = listed.stored
            return report.json(stored, size: listed.size).adding([
                "method": .string(stored.method.rawValue), "url": .string(stored.key.targetURI),
            ])
        }
    }
}
