import Dispatch

/// Returns whether the caller is on the main queue, which is the main actor's; its thread may change.
struct MainThread: Sendable {
    private static let key = DispatchSpecificKey<Bool>()

    init() async { await MainActor.run { DispatchQueue.main.setSpecific(key: Self.key, value: true) } }

    var isCurrent: Bool { DispatchQueue.getSpecific(key: Self.key) ?? false }
}
