import LocatedYAML

/// The keys of a scenario's `stack` and of a step's `settings`.
package enum StackKey: String, MapKey {
    case profile, base
    case defaultParameters = "default-parameters"
    case defaultFields = "default-fields"
    case version
    case bodyForm = "body-form"
    case timeout, limit, retry, cookies, images
    case debugLog = "debug-log"
    package static let mapName = "settings of the stack"
}

/// The keys of `retry` of the stack.
package enum RetryKey: String, MapKey {
    case times, delay
    package static let mapName = "a retry policy"
}

/// The keys of a chain.
package enum ChainKey: String, OperationKey {
    case order, requests, limit, profile, start
    case cancelAfter = "cancel-after"
    package static let mapName = "a chain"
}

/// The keys of a batch.
package enum BatchKey: String, OperationKey {
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
    package static let mapName = "a reference to a response"
}

/// The keys of the expected outcome of a request of the stack.
package enum FetchExpectKey: String, MapKey {
    case source, status, fields, body, error, took, value, attempts, failure, reason
    package static let mapName = "expectations of a request of the stack"
}

/// The keys of the expected outcome of a chain or batch.
package enum GroupExpectKey: String, MapKey {
    case order, course, completed, failed
    case stoppedAt = "stopped-at"
    case atOnce = "at-once"
    case completions, error, took, log
    package static let mapName = "expectations of a chain or batch"
}

/// The keys of a download.
package enum DownloadKey: String, OperationKey {
    case path, to, host, naming, resumable, detached, timeout
    case suspendAt = "suspend-at"
    case cancelAt = "cancel-at"
    case profile, start
    case cancelAfter = "cancel-after"
    package static let mapName = "a download"
}

/// The keys of the expected outcome of a download.
package enum DownloadExpectKey: String, MapKey {
    case file, body
    case resumedFrom = "resumed-from"
    case kept, progress, status, error, took, attempts, failure, reason
    package static let mapName = "expectations of a download"
}

/// The keys of the expected progress.
package enum ProgressKey: String, MapKey {
    case first, last, total
    package static let mapName = "expectations of the progress"
}

/// The keys of an action on downloads.
package enum DownloadsKey: String, MapKey {
    case suspend, resume, cancel, background
    case removeParts = "remove-parts"
    case profile
    package static let mapName = "an action on downloads"
}

/// The keys of the expected state of downloads.
package enum DownloadsExpectKey: String, MapKey {
    case running, suspended, parts
    package static let mapName = "expectations of downloads"
}

/// The keys of the expected state of a part of a file.
package enum PartKey: String, MapKey {
    case path, received, total, ratio
    package static let mapName = "expectations of a part"
}

/// The keys of an upload.
package enum UploadKey: String, OperationKey {
    case path, items, name
    case mimeType = "mime-type"
    case ratio, parameters, fields, base, host, timeout, profile, start
    case cancelAfter = "cancel-after"
    package static let mapName = "an upload"
}

/// The keys of one item of an upload.
package enum UploadItemKey: String, MapKey {
    case file, body
    case fileName = "file-name"
    package static let mapName = "an item of an upload"
}

/// The keys of the expected outcome of an upload.
package enum UploadExpectKey: String, MapKey {
    case status, body, error, took, failure, reason
    case failedItems = "failed-items"
    case progress
    package static let mapName = "expectations of an upload"
}

/// The keys of an action on the pool.
package enum PoolKey: String, MapKey {
    case cancel, profile
    package static let mapName = "an action on the pool"
}

/// The keys of the requests to cancel.
package enum PoolCancelKey: String, MapKey {
    case path, method, parameters, kind
    package static let mapName = "the requests to cancel"
}

/// The keys of the expected state of the pool.
package enum PoolExpectKey: String, MapKey {
    case cancelled, count, busy, requests, kinds, descriptions, waiting
    package static let mapName = "expectations of the pool"
}

/// The keys of an action on files.
package enum FilesKey: String, MapKey {
    case `in`, suffix, damage, truncate, remove
    package static let mapName = "an action on files"
}

/// The keys of the expected state of files.
package enum FilesExpectKey: String, MapKey {
    case count, names, bytes, beginning, body
    case nameLength = "name-length"
    package static let mapName = "expectations of files"
}
