import Dispatch

/// Where callbacks are called and slots change: the program's user interface thread, or what stands for it.
public protocol DeliveryQueue: Sendable {
    /// Runs `work`, one after another in the order of the calls.
    func deliver(_ work: @escaping @Sendable () -> Void)
    /// Whether the caller is already there, so that it need not wait for its turn.
    var isCurrent: Bool { get }
}

extension DeliveryQueue {
    /// The same callback, called on this queue.
    func delivering<Value: Sendable>(
        _ callback: (@Sendable (Value) -> Void)?
    ) -> (@Sendable (Value) -> Void)? {
        guard let callback else { return nil }
        return { value in self.deliver { callback(value) } }
    }
}

/// A queue of its own, on a thread of the system's.
public final class SerialDelivery: DeliveryQueue {
    private static let key = DispatchSpecificKey<ObjectIdentifier>()
    private let queue: DispatchQueue

    /// Creates a queue.
    public convenience init() { self.init(DispatchQueue(label: "images.delivery")) }

    /// The main thread's queue, for programs that run a main loop.
    public static let main = SerialDelivery(DispatchQueue.main)

    private init(_ queue: DispatchQueue) {
        self.queue = queue
        queue.setSpecific(key: Self.key, value: ObjectIdentifier(queue))
    }

    /// Runs `work` on the queue.
    public func deliver(_ work: @escaping @Sendable () -> Void) { queue.async(execute: work) }

    /// Whether this is the queue.
    public var isCurrent: Bool { DispatchQueue.getSpecific(key: Self.key) == ObjectIdentifier(queue) }

    /// Waits until everything that was asked for before has run.
    public func drain() async {
        await withCheckedContinuation { continuation in queue.async { continuation.resume() } }
    }
}
