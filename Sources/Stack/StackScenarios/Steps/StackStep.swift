package import LocatedYAML

/// A step of the networking stack.
package enum StackStep: Sendable {
    /// A chain, a sequence or a batch of requests.
    case group(GroupStep)
    /// The download of a file.
    case download(DownloadStep)
    /// An action on downloads, and their state.
    case downloads(DownloadsStep)
    /// An upload of images or files.
    case upload(UploadStep)
    /// The load of an image.
    case image(ImageStep)
    /// An action on the image caches, and their state.
    case images(ImagesStep)
    /// An action on a slot, and its state.
    case slot(SlotStep)
    /// The requests to cancel through the pool, and its state.
    case pool(PoolStep)
    /// An action on files of the stack, and their state.
    case files(FilesStep)
    /// Waiting for an operation that an earlier step has started.
    case finish(FinishStep)
    /// Settings of the stack from now on.
    case settings(StackSettings)
    /// The reachability of the network from now on.
    case reachability(StackReachability)
}

/// A profile of the stack: the settings of one of the systems that the documents describe.
package enum StackProfile: String, Sendable, Hashable, CaseIterable {
    /// SDWebImage in the version that the documents describe: images.
    case sdWebImage
    /// SDWebImage 5.21: images.
    case sdWebImage5
    /// AFNetworking: requests and images.
    case afNetworking
    /// SJNetwork: requests and transfers.
    case sjNetwork
    /// SQFetchManager: requests and images.
    case sqFetch
}

/// The status of the stack's reachability provider.
package enum StackReachability: String, Sendable, Hashable, CaseIterable {
    /// Not known yet, the initial status.
    case unknown
    /// There is no network.
    case none
    /// A wired network.
    case wired
    /// A wireless local network.
    case wifi
    /// A cellular network.
    case cellular
}

/// The manner in which an operation of the stack starts and ends.
package struct StackTiming: Sendable, Hashable {
    /// The profile; `nil` for the scenario's.
    package var profile: StackProfile?
    /// The name with which a later step waits for the end; `nil` if this step waits.
    package var start: String?
    /// The time after which the caller cancels the operation; `nil` means never.
    package var cancelAfter: Duration?

    /// Creates the timing of a step that waits for the end.
    package init() {}
}

/// A step that waits for an operation started earlier.
package struct FinishStep: Sendable {
    /// The name of the operation.
    package var name: String
    /// The expected outcome.
    package var expectation: StackExpectation
    /// The position in the file.
    package var position: Position

    /// Creates a step.
    package init(name: String, expectation: StackExpectation, position: Position) {
        self.name = name
        self.expectation = expectation
        self.position = position
    }
}

/// The expected outcome of an operation of the stack.
package enum StackExpectation: Sendable {
    /// The outcome of a chain or batch.
    case group(GroupExpectation)
    /// The outcome of a download.
    case download(DownloadExpectation)
    /// The outcome of an upload.
    case upload(UploadExpectation)
    /// The outcome of an image load.
    case image(ImageExpectation)
}
