import Dispatch

/// The queue on which callbacks are called and slots change, such as the main thread's.
public protocol DeliveryQueue: Sendable {
    /// Runs `work` after all earlier calls, one at a time.
    func deliver(_ work: @escaping @Sendable () -> Void)
    /// Whether the caller is already on the queue, so that it need not dispatch.
    var isCurrent: Bool { get }
}

extension DeliveryQueue {
    /// Returns a callback that calls this one on the queue.
    func delivering<Value: Sendable>(
        _ callback: (@Sendable (Value) -> Void)?
    ) -> (@Sendable (Value) -> Void)? {
        guard let callback else { return nil }
        return { value in self.deliver { callback(value) } }
    }
}

/// A serial dispatch queue.
public final class SerialDelivery: DeliveryQueue {
    private static let key = DispatchSpecificKey<ObjectIdentifier>()
    private let queue: DispatchQueue

    /// Creates a queue.
    public convenience init() { self.init(DispatchQueue(label: "images.delivery")) }

    /// The main queue, for programs that run a main loop.
    public static let main = SerialDelivery(DispatchQueue.main)

    private init(_ queue: DispatchQueue) {
        self.queue = queue
        queue.setSpecific(key: Self.key, value: ObjectIdentifier(queue))
    }

    /// Runs `work` on the queue.
    public func deliver(_ work: @escaping @Sendable () -> Void) { queue.async(execute: work) }

    /// Whether the caller is on this queue.
    public var isCurrent: Bool { DispatchQueue.getSpecific(key: Self.key) == ObjectIdentifier(queue) }

    /// Waits until all earlier work has run.
    public func drain() async {
        await withCheckedContinuation { continuation in queue.async { continuation.resume() } }
    }
}
