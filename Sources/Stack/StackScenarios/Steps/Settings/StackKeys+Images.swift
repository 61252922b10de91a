import LocatedYAML

/// The keys of `images` in the stack's settings.
package enum ImageSettingKey: String, MapKey {
    case order, concurrency, freshness, failures
    case failureLifetime = "failure-lifetime"
    case failuresFirst = "failures-first"
    case ageLimit = "age-limit"
    case sizeLimit = "size-limit"
    case memoryLimit = "memory-limit"
    case timeout
    package static let mapName = "settings of images"
}

/// The keys of an image load.
package enum ImageKey: String, OperationKey {
    case path, host, fields, options, priority, policy, profile, start
    case cancelAfter = "cancel-after"
    package static let mapName = "an image"
}

/// The keys of the expected outcome of an image load.
package enum ImageExpectKey: String, MapKey {
    case source, type, pixels, image, error, deliveries
    case notModified = "not-modified"
    case milestones, took
    package static let mapName = "expectations of an image"
}

/// The keys of an action on a slot.
package enum SlotKey: String, MapKey {
    case name, show, cancel, release, placeholder, completion, options, fields, profile
    package static let mapName = "an action on a slot"
}

/// The keys of the expected state of a slot.
package enum SlotExpectKey: String, MapKey {
    case shows, shown, busy, url, completions, error
    package static let mapName = "expectations of a slot"
}

/// The keys of an action on the image caches.
package enum ImagesKey: String, MapKey {
    case `do`, profile
    package static let mapName = "an action on the image caches"
}

/// The keys of the expected state of the image caches.
package enum ImagesExpectKey: String, MapKey {
    case running, failed, files
    package static let mapName = "expectations of the image caches"
}
