public import Scenarios

extension StackStep: ExtensionStep {
    /// Whether it is a download or an upload: without sockets there is no backpressure, and no file is sent.
    public var needsSockets: Bool {
        switch self {
        case .download, .upload: true
        default: false
        }
    }

    /// What is done, in a few words.
    public var title: String {
        switch self {
        case .chain(let step): step.title
        case .batch(let step): step.title
        case .download(let step): step.title
        case .downloads(let step): step.title
        case .upload(let step): step.title
        case .image(let step): step.title
        case .images(let step): step.action.map { "images: \($0.rawValue)" } ?? "the image caches"
        case .slot(let step): step.title
        case .pool(let step): step.cancelling == nil ? "the pool" : "cancel through the pool"
        case .files(let step): "files of \(step.folder.rawValue)"
        case .finish(let step): "finish \(step.name)"
        case .settings: "set the stack up"
        case .reachability(let network): "reachability \(network.rawValue)"
        }
    }
}

extension ChainStep {
    /// `serial chain: GET /a, POST /b`.
    var title: String { "\(order.rawValue) chain: \(requests.titles)" }
}

extension BatchStep {
    /// `batch: GET /a, GET /b`.
    var title: String { "batch: \(requests.titles)" }
}

extension [FetchStep] {
    fileprivate var titles: String { map { "\($0.method) \($0.path)" }.joined(separator: ", ") }
}

extension DownloadStep {
    /// `download /a to a.bin`.
    var title: String { "download \(path) to \(destination)" }
}

extension UploadStep {
    /// `upload 2 items to /a`.
    var title: String { "upload \(items.count) items to \(request.path)" }
}

extension DownloadsStep {
    fileprivate var title: String {
        switch action {
        case .none: "downloads"
        case .suspend(let paths): "suspend " + Self.text(paths)
        case .resume(let paths): "resume " + Self.text(paths)
        case .cancel(let paths): "cancel " + Self.text(paths)
        case .background(let isThere): isThere ? "to the background" : "to the foreground"
        case .removeParts: "remove parts of downloads"
        }
    }

    private static func text(_ paths: [String]?) -> String {
        paths?.joined(separator: ", ") ?? "all downloads"
    }
}

extension ImageStep {
    /// `image /a`.
    var title: String { "image \(path)" }
}

extension SlotStep {
    fileprivate var title: String {
        switch action {
        case .none: "slot \(name)"
        case .show(let image): "slot \(name): show \(image?.path ?? "no URL")"
        case .cancel: "slot \(name): cancel"
        case .release: "slot \(name): let go"
        }
    }
}
