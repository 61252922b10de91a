/// Loads images into the caches before they are shown, as SDWebImagePrefetcher does.
public final class ImagePrefetcher: Sendable {
    /// The progress of a prefetch.
    public struct Counts: Sendable, Hashable {
        /// The number of URLs that have ended.
        public var finished = 0
        /// The number of those that failed.
        public var skipped = 0
        /// The number of URLs.
        public let total: Int
    }
    private let loader: ImageLoader
    private let concurrency: Int
    private let options: ImageLoadOptions

    /// Creates a prefetcher of a loader.
    ///
    /// - Parameters:
    ///   - loader: The loader, whose caches are filled.
    ///   - concurrency: How many images are loaded at once, at least 1; default 3.
    ///   - options: The options of the loads; default low priority.
    public init(_ loader: ImageLoader, concurrency: Int = 3, options: ImageLoadOptions = .lowPriority) {
        (self.loader, self.concurrency, self.options) = (loader, max(1, concurrency), options)
    }

    /// Loads images in the order given and returns when all have ended; cancelling the task cancels the rest.
    ///
    /// `progress` is called after each, one at a time.
    @discardableResult
    public func prefetch(_ urls: [String], progress: (@Sendable (Counts) -> Void)? = nil) async -> Counts {
        var counts = Counts(total: urls.count)
        var waiting = urls[...]
        await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<concurrency { add(waiting.popFirst(), to: &group) }
            while let isLoaded = await group.next() {
                counts.finished += 1
                if !isLoaded { counts.skipped += 1 }
                progress?(counts)
                if !Task.isCancelled { add(waiting.popFirst(), to: &group) }
            }
        }
        return counts
    }

    private func add(_ url: String?, to group: inout TaskGroup<Bool>) {
        guard let url else { return }
        group.addTask { [loader, options] in
            do throws(ImageError) {
                _ = try await loader.image(for: ImageRequest(url: url, options: options))
                return true
            } catch {
                return false
            }
        }
    }
}
