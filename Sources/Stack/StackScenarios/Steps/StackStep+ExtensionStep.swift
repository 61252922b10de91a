import Scenarios

extension StackStep: ExtensionStep {
    /// Whether the step needs sockets: downloads need backpressure, and uploads send files.
    package var needsSockets: Bool {
        switch self {
        case .download, .upload: true
        default: false
        }
    }

    /// A short description.
    package var title: String {
        switch self {
        case .group(let step): step.title
        case .download(let step): step.title
        case .downloads(let step): step.title
        case .upload(let step): step.title
        case .image(let step): step.title
        case .images(let step): step.action.map { "images: \($0.rawValue)" } ?? "the image caches"
        case .slot(let step): step.title
        case .pool(let step): step.cancelling == nil ? "the pool" : "cancel through the pool"
        case .files(let step): "files of \(step.folder.rawValue)"
        case .finish(let step): "finish \(step.name)"
        case .settings: "change the stack's settings"
        case .reachability(let network): "reachability \(network.rawValue)"
        }
    }
}

extension GroupStep {
    /// The title, such as `serial chain: GET /a, POST /b` or `batch: GET /a, GET /b`.
    var title: String {
        switch kind {
        case .chain(let order, _): "\(order.rawValue) chain: \(requests.titles)"
        case .batch: "batch: \(requests.titles)"
        }
    }
}

extension [FetchStep] {
    fileprivate var titles: String { map { "\($0.method) \($0.path)" }.joined(separator: ", ") }
}

extension DownloadStep {
    /// The title, such as `download /a to a.bin`.
    var title: String { "download \(path) to \(destination)" }
}

extension UploadStep {
    /// The title, such as `upload 2 items to /a`.
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
    /// The title, such as `image /a`.
    var title: String { "image \(path)" }
}

extension SlotStep {
    fileprivate var title: String {
        switch action {
        case .none: "slot \(name)"
        case .show(let image): "slot \(name): show \(image?.path ?? "no URL")"
        case .cancel: "slot \(name): cancel"
        case .release: "slot \(name): release"
        }
    }
}
