/// The easy handles of a loop, each with a number that is unique at any time.
struct HandlePool {
    private var all: [EasyHandle?] = []
    private var freeNumbers: [Int] = []
    private var spare: [EasyHandle] = []
    /// Handles of transfers that have ended, which are removed while other responses are awaited.
    var ended: [EasyHandle] = []
    private static let maximumSpare = 64
    private let reusesHandles: Bool
    /// The number of handles that carry an exchange.
    var activeCount = 0

    init(reusesHandles: Bool) { self.reusesHandles = reusesHandles }

    /// A handle that carries an exchange; `nil` if none does.
    var anyActive: EasyHandle? { all.last { $0?.isActive == true } ?? nil }

    /// Returns a free handle, or one that `make` creates with a number.
    mutating func take(_ make: (Int) -> EasyHandle?) -> EasyHandle? {
        if let easy = spare.popLast() { return easy }
        let number = freeNumbers.last ?? all.count
        guard let easy = make(number) else { return nil }
        if freeNumbers.popLast() == nil { all.append(easy) } else { all[number] = easy }
        return easy
    }

    /// Returns a handle whose transfer has ended, if it should carry the next one.
    ///
    /// A handle that is not reused should be renewed while a response is awaited. So the first one stays where it is
    /// until then, and another handle carries the next transfer.
    mutating func takeEnded() -> EasyHandle? {
        if !reusesHandles, !spare.isEmpty || ended.count < 2 { return nil }
        return ended.popLast()
    }

    /// Whether another spare handle may be kept.
    var hasRoom: Bool { spare.count < Self.maximumSpare }

    /// Takes back a handle that can carry another exchange.
    mutating func keep(_ easy: EasyHandle) { spare.append(easy) }

    /// Removes a handle.
    mutating func drop(_ easy: EasyHandle) {
        all[easy.number] = nil
        freeNumbers.append(easy.number)
    }

    mutating func removeSpare() {
        while let easy = spare.popLast() { drop(easy) }
    }
}
