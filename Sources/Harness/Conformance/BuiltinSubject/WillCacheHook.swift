import CacheSemantics
import CacheStorage
import HTTPTypes
import Scenarios

/// The will-cache hooks that scenarios can name.
enum WillCacheHook {
    /// Returns the hook for a setting.
    static func hook(_ setting: HookSetting) -> @Sendable (CacheEntry) async -> CacheEntry? {
        { entry in apply(setting, to: entry) }
    }

    private static func apply(_ setting: HookSetting, to entry: CacheEntry) -> CacheEntry? {
        var entry = entry
        switch setting {
        case .pass: break
        case .refuse: return nil
        case .memoryOnly: entry.storagePolicy = .allowedInMemoryOnly
        case .notAllowed: entry.storagePolicy = .notAllowed
        case .append(let text): append(text, to: &entry)
        case .userInfo(let info): entry.userInfo = info.mapValues(UserInfoValue.text)
        case .fields(let fields): set(fields, in: &entry)
        }
        return entry
    }

    private static func append(_ text: String, to entry: inout CacheEntry) {
        // An entry whose content cannot be read stays unchanged; the scenario then sees no added text.
        guard let bytes = try? entry.body.readAll() else { return }
        entry.body = .bytes(bytes + Array(text.utf8))
    }

    private static func set(_ fields: [String: String], in entry: inout CacheEntry) {
        let stored = entry.stored
        var response = stored.response
        for (name, value) in fields {
            guard let name = HTTPField.Name(name) else { continue }
            response.headerFields[name] = value
        }
        entry.stored = StoredResponse(
            key: stored.key,
            variant: stored.variant,
            method: stored.method,
            selectingFields: stored.selectingFields,
            response: response,
            requestTime: stored.requestTime,
            responseTime: stored.responseTime,
            isInvalidated: stored.isInvalidated,
            parts: stored.parts
        )
    }
}
