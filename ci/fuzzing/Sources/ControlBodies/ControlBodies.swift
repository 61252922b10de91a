import Clocks
import Dispatch
import FuzzInput

@testable import ControlServing
@testable import MockOrigin

/// The first line is a method and a target of the control API, the rest is the content of the request.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let (line, rest) = FuzzInput(start, count).firstLineAndRest
    let words = line.split(separator: " ", maxSplits: 1).map(String.init)
    guard words.count == 2 else { return 0 }
    let parts = words[1].split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false).map(
        String.init
    )
    guard let query = [ControlRequest.QueryParameter](parts.count > 1 ? parts[1] : nil),
        let (operation, parameters) = try? table().find(words[0], parts[0]),
        !endless.contains(operation.name)
    else { return 0 }
    let request = ControlRequest(
        caller: nil,
        parameters: parameters,
        query: query,
        acceptedTypes: [],
        userAgent: "",
        content: rest.bytes
    )
    let isDone = DispatchSemaphore(value: 0)
    Task {
        if let answer = try? await operation.action(request) { check(answer) }
        isDone.signal()
    }
    isDone.wait()
    return 0
}

/// What waits for something that does not happen here.
private let endless = ["waitForExchanges", "followEvents"]

/// A new server each time, so that an input does the same whatever came before it.
private func table() -> ControlTable {
    let clock = VirtualClock(timeSinceEpoch: .seconds(1_700_000_000))
    let handler = OriginHandler(MockServer.Configuration(), clock: clock)
    let desk = ControlOperations(
        handler: handler,
        runs: RunRegistry(clock: clock) { handler.closeRun($0) },
        clock: clock,
        url: "http://127.0.0.1:1",
        journalSize: 10
    )
    return ControlTable(operations: desk.operations)
}

private func check(_ answer: ControlAnswer) {
    precondition((200...299).contains(answer.status), "an answer of \(answer.status) was not thrown")
}
