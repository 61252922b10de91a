import Clocks
import Dispatch
import FuzzInput
import JSON

@testable import ControlServing
@testable import FaultProxy
@testable import OriginScript

/// The first line is a method and a target of the Toxiproxy API, the rest the content of the request, or a toxic whose
/// effect on bytes is looked at.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let (line, rest) = FuzzInput(start, count).firstLineAndRest
    guard let json = try? JSONValue(parsing: rest.bytes) else { return 0 }
    if let toxic = try? Toxic(json) { apply(toxic) }
    let words = line.split(separator: " ", maxSplits: 1).map(String.init)
    guard words.count == 2, words[1] != "/reset" else { return 0 }
    ask(words[0], words[1], json)
    return 0
}

/// Whatever a toxic is, no byte is invented and none leaves before it came.
private func apply(_ toxic: Toxic) {
    let draw = FaultDraw(seed: 1, scope: "a", request: "b")
    var track = ToxicTrack(toxic.stream, draw)
    _ = track.use([toxic], at: .zero)
    let bytes = [UInt8](repeating: 65, count: 512)
    var sent = 0
    for second in 1...3 {
        for entry in track.take(bytes, at: .seconds(second)) {
            precondition(entry.due >= .seconds(second), "bytes leave before they come")
            if case .send(let bytes) = entry.action { sent += bytes.count }
        }
    }
    precondition(sent <= 3 * bytes.count, "\(sent) bytes were sent")
    _ = track.finish(at: .seconds(4), isReset: false)
}

/// Proxies are made disabled: none listens.
private func ask(_ method: String, _ target: String, _ json: JSONValue) {
    let setting = ToxicProxy.Setting(clock: VirtualClock(timeSinceEpoch: .seconds(0)), seed: 0, isOpen: false)
    let proxies = ToxicProxies(setting)
    let definition = ToxicProxy.Definition(listen: ":0", upstream: "a.example:80", isEnabled: false)
    guard let proxy = try? proxies.create("p", definition),
        let toxic = try? Toxic(["type": "latency", "name": "t"])
    else {
        preconditionFailure("no proxy")
    }
    proxy.use([toxic])
    let table = ControlTable(operations: ToxiproxyOperations(proxies: proxies).all)
    guard let (operation, parameters) = try? table.find(method, target) else { return }
    let request = ControlRequest(
        caller: nil,
        parameters: parameters,
        query: [],
        acceptedTypes: [],
        userAgent: "",
        content: Array(disabled(json).written().utf8)
    )
    let isDone = DispatchSemaphore(value: 0)
    Task {
        _ = try? await operation.action(request)
        isDone.signal()
    }
    isDone.wait()
}

private func disabled(_ json: JSONValue) -> JSONValue {
    switch json {
    case .array(let items): .array(items.map(disabled))
    case .object(let object):
        .object(JSONObject(object.members.filter { $0.name != "enabled" } + [.init("enabled", false)]))
    default: json
    }
}
