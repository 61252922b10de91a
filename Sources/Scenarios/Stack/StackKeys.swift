import LocatedYAML

/// The keys of `stack`, of a scenario and of a step.
package enum StackKey: String, MapKey {
    case profile, base
    case defaultParameters = "default-parameters"
    case defaultFields = "default-fields"
    case version
    case bodyForm = "body-form"
    case timeout, limit, retry, cookies
    case debugLog = "debug-log"
    package static let mapName = "settings of the stack"
}

/// The keys of `retry` of the stack.
package enum RetryKey: String, MapKey {
    case times, delay
    package static let mapName = "a rule of sending again"
}

/// The keys of a chain.
package enum ChainKey: String, MapKey {
    case order, requests, limit, profile, start
    case cancelAfter = "cancel-after"
    package static let mapName = "a chain"
}

/// The keys of a batch.
package enum BatchKey: String, MapKey {
    case failure, requests, profile, start
    case cancelAfter = "cancel-after"
    package static let mapName = "a batch"
}

/// The keys of one request of a chain or batch.
package enum FetchKey: String, MapKey {
    case name, path, method, parameters, fields, body
    case contentType = "content-type"
    case base, host, policy, timeout, priority
    case loadCache = "load-cache"
    case cacheFor = "cache-for"
    case serializer, callback, after, expect
    package static let mapName = "a request of the stack"
}

/// The keys of a parameter that is taken from a response.
package enum ReferenceKey: String, MapKey {
    case from, at
    package static let mapName = "a value of a response"
}

/// The keys of what is expected of one request of the stack.
package enum FetchExpectKey: String, MapKey {
    case source, status, fields, body, error, took, value, attempts, failure, reason
    package static let mapName = "expectations of a request of the stack"
}

/// The keys of what is expected of a chain or batch.
package enum GroupExpectKey: String, MapKey {
    case order, course, completed, failed
    case stoppedAt = "stopped-at"
    case atOnce = "at-once"
    case completions, error, took, log
    package static let mapName = "expectations of a chain or batch"
}
