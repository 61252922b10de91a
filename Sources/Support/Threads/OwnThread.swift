/// Runs work that blocks on a separate thread, so that it holds up none of Swift's cooperative threads.
public func onOwnThread<Value: Sendable>(_ work: @escaping @Sendable () -> Value) async -> Value {
    await withCheckedContinuation { continuation in
        SystemThread { continuation.resume(returning: work()) }.detach()
    }
}
