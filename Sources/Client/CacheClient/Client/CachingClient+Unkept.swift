import CacheSemantics
import HTTPTypes

extension CachingClient {
    /// Returns the origin's response if there is no store, all of it has arrived, and it is passed on unchanged;
    /// otherwise `nil`.
    ///
    /// Without this path `exchange-any-task` takes 1.72 to 1.78 times the C loop, with it 1.45 to 1.58 times.
    func answerUnkept(_ forwarded: OriginRequest, _ transaction: Transaction) -> ClientResponse? {
        guard store == nil,
            let whole = forwarded.exchange.takeWhole(where: { head, status in
                // Redirects, parts and coded content take the general path.
                !(300..<400).contains(status) && status != 206
                    && !head.headerFields.contains(.contentEncoding)
            })
        else { return nil }
        return ClientResponse(forwarded, transaction, whole, .unkept(forwarded.lookup, whole.status))
    }
}

extension CacheStatus {
    /// Creates the status for a response of the origin that needed no processing.
    init(unkept planned: PlannedRequest, _ forwardStatus: Int) {
        self.init(key: planned.key.targetURI, forward: planned.forwardReason ?? .miss)
        self.forwardStatus = forwardStatus
        isStored = false
    }
}
