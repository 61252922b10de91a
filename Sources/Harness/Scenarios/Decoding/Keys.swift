import LocatedYAML

/// The keys of a file.
package enum SuiteKey: String, MapKey {
    case suite, defaults, scenarios
    package static let mapName = "a suite"
}

/// The keys of `defaults`.
package enum DefaultsKey: String, MapKey {
    case level, rules, cache, client, origin, because
    case dependsOn = "depends-on"
    case passesFor = "passes-for"
    package static let mapName = "the defaults"
}

/// The keys of a scenario.
package enum ScenarioKey: String, MapKey {
    case id, title, level, rules, cache
    case dependsOn = "depends-on"
    case passesFor = "passes-for"
    case because
    case client, origin, faults, network, tls, steps
    case realTime = "real-time"
    package static let mapName = "a scenario"
}

/// The keys of a sentence that `because` cites.
package enum CitationKey: String, MapKey {
    case section, keyword, sentence
    package static let mapName = "a cited sentence"
}

/// The keys of `client` in a scenario.
package enum ClientKey: String, MapKey {
    case memoryCapacity = "memory-capacity"
    case diskCapacity = "disk-capacity"
    case largestShare = "largest-share"
    case heuristics, hook
    case partialContent = "partial-content"
    case expirationInterval = "expiration-interval"
    case connectionsPerHost = "connections-per-host"
    case followRedirects = "follow-redirects"
    case defaultPolicy = "default-policy"
    case targets, deviations, partition, trust
    case normalizePercentEncoding = "normalize-percent-encoding"
    case passFields = "pass-fields"
    package static let mapName = "client settings"
}

/// The keys of a will-cache hook.
package enum HookKey: String, MapKey {
    case append
    case userInfo = "user-info"
    case fields
    package static let mapName = "a hook"
}

/// The keys of a step.
package enum StepKey: String, MapKey {
    case request, parallel
    case `repeat`
    case advance, release, client, cache, network, origin, lookup, store, usage, gateway
    case originSaw = "origin-saw"
    case idle, expect
    package static let mapName = "a step"
}

/// The keys of a request.
package enum RequestKey: String, MapKey {
    case path, method, query, fields, body, policy, timeout, host
    case cancelAfter = "cancel-after"
    case label
    package static let mapName = "a request"
}

/// The keys of a request's content that is not given as text.
package enum RequestBodyKey: String, MapKey {
    case size
    package static let mapName = "a request's body"
}

/// The keys of a lookup.
package enum LookupKey: String, MapKey {
    case path, method, query, fields
    package static let mapName = "a lookup"
}

/// The keys of an entry that a step stores directly.
package enum StoreKey: String, MapKey {
    case path, status, fields, body
    case userInfo = "user-info"
    case storagePolicy = "storage-policy"
    package static let mapName = "an entry to store"
}

/// The keys of `repeat`.
package enum RepeatKey: String, MapKey {
    case times, steps
    package static let mapName = "a repetition"
}

/// The keys of `advance`.
package enum AdvanceKey: String, MapKey {
    case by, wall
    package static let mapName = "an advance"
}

/// The keys of a step's `cache`.
package enum CacheActionKey: String, MapKey {
    case remove
    case removeSince = "remove-since"
    case resize
    package static let mapName = "a cache action"
}

/// The keys of `resize`.
package enum ResizeKey: String, MapKey {
    case memory, disk
    package static let mapName = "capacities"
}

/// The keys of a step's `origin`.
package enum OriginActionKey: String, MapKey {
    case stop, start, use, label
    package static let mapName = "an origin action"
}

/// The keys of `usage`.
package enum UsageKey: String, MapKey {
    case memory, disk, files, entries
    case databaseSteps = "database-steps"
    case readable, unreadable
    package static let mapName = "the store's usage"
}

/// The keys of `expect`.
package enum ExpectKey: String, MapKey {
    case source, stale, status, fields, body, age, error, events, chunks
    case cacheStatus = "cache-status"
    case found
    case userInfo = "user-info"
    case userSawRedirects = "user-saw-redirects"
    case took, finding
    package static let mapName = "expectations"
}

/// The keys of `origin-saw`.
package enum OriginSawKey: String, MapKey {
    case path, method, since, requests, last, request, connections, aborted
    package static let mapName = "expectations of the origin"
}

/// The keys of one request that the origin saw.
package enum RecordedRequestKey: String, MapKey {
    case number, method, path, query, fields, body, parts, connection
    case clientCertificate = "client-certificate"
    package static let mapName = "a request that the origin saw"
}

/// The keys of one part of a form that the origin saw.
package enum FormPartKey: String, MapKey {
    case name
    case fileName = "file-name"
    case contentType = "content-type"
    case body
    package static let mapName = "a part of a form"
}

/// The keys of an expected content that is not given as text.
package enum ExpectedBodyKey: String, MapKey {
    case size
    case sameAs = "same-as"
    case contains
    package static let mapName = "an expected body"
}

/// The keys of a comparison of numbers.
package enum ComparisonKey: String, MapKey {
    case greater, less
    case atLeast = "at-least"
    case atMost = "at-most"
    package static let mapName = "a comparison"
}

/// The keys of an expected field value that is not given as text.
package enum ExpectedValueKey: String, MapKey {
    case greater, less
    case atLeast = "at-least"
    case atMost = "at-most"
    case not, contains, date
    case fixedDate = "fixed-date"
    case form
    package static let mapName = "an expected value"
}

/// The parameters of `Cache-Status` (RFC 9211 §2).
package enum CacheStatusKey: String, MapKey {
    case hit, fwd
    case fwdStatus = "fwd-status"
    case ttl, stored, collapsed, key, detail
    package static let mapName = "Cache-Status parameters"
}
