import Clocks
import OriginScript
import Scenarios

extension Step {
    /// A short description of the step: `GET /a`, `advance 59 s`.
    var title: String {
        switch self {
        case .request(let request): request.title
        case .parallel(let requests): "parallel: " + requests.map(\.title).joined(separator: ", ")
        case .repeat(let times, _): "repeat \(times) times"
        case .advance(let duration): "advance \(secondsText(duration.seconds))"
        case .jumpWall(let duration): "wall clock \(secondsText(duration.seconds))"
        case .release(let label): "release \(label ?? "all")"
        case .restartClient: "restart the client"
        case .cache(let action): "cache: \(action.title)"
        case .networkProfile(let schedule):
            "network " + schedule.phases.map(\.profile.name).joined(separator: ", then ")
        case .network(let network): "network \(network.rawValue)"
        case .origin(let action): "origin: \(action.title)"
        case .lookup(let request): "lookup \(request.title)"
        case .store(let entry): "store \(entry.path)"
        case .usage: "usage of the store"
        case .originSaw: "expectations of the origin"
        case .gateway(let step): "gateway: " + step.text.prefix { $0 != "\r\n" && $0 != "\n" && $0 != "\r" }
        case .added(let step, _): step.title
        case .idle: "wait for background work"
        }
    }
}

extension RequestStep {
    /// The method and target: `GET /a?x=1`.
    var title: String { "\(method) \(target)" }

    /// Path and query.
    var target: String { path + (query.map { "?" + $0 } ?? "") }
}

extension CacheAction {
    fileprivate var title: String {
        switch self {
        case .clear: "clear"
        case .remove(let path): "remove \(path)"
        case .removeSince(let offset): "remove responses stored since \(secondsText(offset.seconds))"
        case .resize(let memory, let disk):
            "resize" + (memory.map { " memory \($0)" } ?? "") + (disk.map { " disk \($0)" } ?? "")
        case .damage: "damage every file"
        }
    }
}

extension OriginAction {
    fileprivate var title: String {
        switch self {
        case .stop: "stop"
        case .start: "start"
        case .use(let answer, let label): "answer \(answer) of \(label) from now on"
        }
    }
}
