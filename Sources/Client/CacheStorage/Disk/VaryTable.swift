import CacheSemantics

/// The distinct `Vary` values of the records on disk, numbered.
struct VaryTable: Sendable {
    /// The number for a record whose metadata has not been read.
    static let unread: Int32 = 0
    /// The number for a record that any request may select.
    static let unknown: Int32 = -1

    private var lists: [(vary: Vary, count: Int)] = []
    private var numbers: [Vary: Int32] = [:]
    private var free: [Int32] = []

    /// The `Vary` with a number above zero.
    subscript(number: Int32) -> Vary { lists[Int(number) - 1].vary }

    /// Returns the number for a stored response, which must be given back.
    mutating func take(_ stored: StoredResponse) -> Int32 {
        guard let vary = stored.selection else { return Self.unknown }
        if let number = numbers[vary] {
            lists[Int(number) - 1].count += 1
            return number
        }
        let number = free.popLast() ?? Int32(lists.count + 1)
        if number > lists.count { lists.append((vary, 1)) } else { lists[Int(number) - 1] = (vary, 1) }
        numbers[vary] = number
        return number
    }

    /// Releases one use of a number, which can be assigned again after the last release.
    mutating func release(_ number: Int32) {
        guard number > 0 else { return }
        let place = Int(number) - 1
        lists[place].count -= 1
        guard lists[place].count == 0 else { return }
        numbers[lists[place].vary] = nil
        free.append(number)
    }
}
