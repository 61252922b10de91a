import GRDB

extension Database {
    /// Runs `body` in a transaction that locks the database for writing at its start, and returns its result.
    @discardableResult
    func immediately<Result>(_ body: () throws -> Result) throws -> Result? {
        var result: Result?
        try inTransaction(.immediate) {
            result = try body()
            return .commit
        }
        return result
    }
}
