import Locks

/// A value that a whole program shares, made when it is first used and replaceable at any time.
///
/// Objects that were created with an earlier value continue to use it.
public final class SharedValue<Value: Sendable>: Sendable {
    private let make: @Sendable () -> Value
    private let made = Lock<Value?>(nil)

    /// Creates a shared value that `make` makes, by chance more than once if several threads are the first to use it; they
    /// receive the same value.
    public init(_ make: @escaping @Sendable () -> Value) { self.make = make }

    /// The value; tests and programs can set another.
    public var value: Value {
        get {
            if let value = made.withLock({ $0 }) { return value }
            let new = make()
            return made.withLock { value in
                let shared = value ?? new
                value = shared
                return shared
            }
        }
        set { made.withLock { $0 = newValue } }
    }
}
