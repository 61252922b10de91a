/// The easy handles of a loop, each with a number that no other has at the same time.
struct HandlePool {
    private var all: [EasyHandle?] = []
    private var freeNumbers: [Int] = []
    private var spare: [EasyHandle] = []
    /// Handles of transfers that have ended, still to be taken out: there is time for that while others are waited for.
    var ended: [EasyHandle] = []
    private static let mostSpare = 64
    /// How many carry an exchange.
    var activeCount = 0

    /// One that carries an exchange; `nil` where none does.
    var anyActive: EasyHandle? { all.last { $0?.isActive == true } ?? nil }

    /// A handle that is free, or what `make` makes of a number.
    mutating func take(_ make: (Int) -> EasyHandle?) -> EasyHandle? {
        if let easy = spare.popLast() { return easy }
        let number = freeNumbers.popLast() ?? all.count
        if number == all.count { all.append(nil) }
        guard let easy = make(number) else {
            freeNumbers.append(number)
            return nil
        }
        all[number] = easy
        return easy
    }

    /// Returns a handle whose transfer has ended, if it should carry the next one.
    ///
    /// A handle that is not reused should be renewed while a response is waited for. So the first one stays where it is
    /// until then, and another handle carries the next transfer.
    mutating func takeEnded() -> EasyHandle? {
        if !CurlVersion.reusesHandles, !spare.isEmpty || ended.count < 2 { return nil }
        return ended.popLast()
    }

    /// Whether another may be kept.
    var hasRoom: Bool { spare.count < Self.mostSpare }

    /// Takes back a handle that can carry another exchange.
    mutating func keep(_ easy: EasyHandle) { spare.append(easy) }

    /// Gives a handle up.
    mutating func drop(_ easy: EasyHandle) {
        all[easy.number] = nil
        freeNumbers.append(easy.number)
    }

    mutating func removeSpare() {
        for easy in spare {
            all[easy.number] = nil
            freeNumbers.append(easy.number)
        }
        spare.removeAll()
    }
}
