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

/// The keys of the load of an image.
package enum ImageKey: String, MapKey {
    case path, host, fields, options, priority, policy, profile, start
    case cancelAfter = "cancel-after"
    package static let mapName = "an image"
}

/// The keys of what is expected of the load of an image.
package enum ImageExpectKey: String, MapKey {
    case source, type, pixels, image, error, deliveries
    case notModified = "not-modified"
    case milestones, took
    package static let mapName = "expectations of an image"
}

/// The keys of what is done to a slot.
package enum SlotKey: String, MapKey {
    case name, show, cancel, release, placeholder, completion, options, fields, profile
    package static let mapName = "something done to a slot"
}

/// The keys of what a slot must show.
package enum SlotExpectKey: String, MapKey {
    case shows, shown, busy, url, completions, error
    package static let mapName = "what a slot shows"
}

/// The keys of what is done to the image caches.
package enum ImagesKey: String, MapKey {
    case `do`, profile
    package static let mapName = "something done to the image caches"
}

/// The keys of what must be known of the image caches.
package enum ImagesExpectKey: String, MapKey {
    case running, failed, files
    package static let mapName = "what is known of the image caches"
}
