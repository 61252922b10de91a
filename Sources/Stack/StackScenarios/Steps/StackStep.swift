public import LocatedYAML

/// One thing that is done with the networking stack, or expected of it.
public enum StackStep: Sendable {
    /// Requests in a chain or a sequence.
    case chain(ChainStep)
    /// Requests side by side with one end.
    case batch(BatchStep)
    /// A file that is downloaded.
    case download(DownloadStep)
    /// Something done to downloads, or expected of them.
    case downloads(DownloadsStep)
    /// Images or files that are sent.
    case upload(UploadStep)
    /// An image that is loaded.
    case image(ImageStep)
    /// Something done to the image caches, or expected of them.
    case images(ImagesStep)
    /// Something done to a slot, or expected of it.
    case slot(SlotStep)
    /// Requests that are cancelled through the pool, or expected in it.
    case pool(PoolStep)
    /// Files of the stack.
    case files(FilesStep)
    /// The end of what an earlier step has begun.
    case finish(FinishStep)
    /// The stack is set up otherwise from now on.
    case settings(StackSettings)
    /// What is known of the network is another from now on.
    case reachability(StackReachability)
}

/// A profile of the stack: the constants of one of the systems that the documents describe.
public enum StackProfile: String, Sendable, Hashable, CaseIterable {
    /// SDWebImage: images.
    case sdWebImage
    /// AFNetworking: requests and images.
    case afNetworking
    /// SJNetwork: requests and transfers.
    case sjNetwork
    /// SQFetchManager: requests and images.
    case sqFetch
}

/// What the stack's reachability provider says of the network.
public enum StackReachability: String, Sendable, Hashable, CaseIterable {
    /// Not determined yet, as at the beginning.
    case unknown
    /// There is none.
    case none
    /// By wire.
    case wired
    /// By radio.
    case wifi
    /// By a telephone network.
    case cellular
}

/// How something of the stack is begun and ended.
public struct StackTiming: Sendable, Hashable {
    /// The profile; `nil` is the scenario's.
    public var profile: StackProfile?
    /// The name under which a later step waits for the end; `nil` where this step waits itself.
    public var start: String?
    /// When the caller cancels the whole; `nil` for never.
    public var cancelAfter: Duration?

    /// Creates a step that waits for its end.
    public init() {}
}

/// The end of what an earlier step has begun.
public struct FinishStep: Sendable {
    /// The name that it was begun under.
    public var name: String
    /// What came of it.
    public var expectation: StackExpectation
    /// Where it stands.
    public var position: Position

    /// Creates a step.
    public init(name: String, expectation: StackExpectation, position: Position) {
        self.name = name
        self.expectation = expectation
        self.position = position
    }
}

/// What is expected of something of the stack at its end.
public enum StackExpectation: Sendable {
    /// Of a chain or batch.
    case group(GroupExpectation)
    /// Of a download.
    case download(DownloadExpectation)
    /// Of an upload.
    case upload(UploadExpectation)
    /// Of the load of an image.
    case image(ImageExpectation)
}
