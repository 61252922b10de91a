import CacheSemantics
import HTTPTypes

extension CachingClient {
    /// The origin's response where nothing is kept and all of it has come, and there is nothing to do with it but to hand
    /// it on; `nil` for any other.
    func answerUnkept(_ round: Round, _ hop: Hop) -> ClientResponse? {
        guard store == nil,
            let whole = round.exchange.takeWhole(where: { head, status in
                // What leads elsewhere, is a part or is to be decoded goes the long way.
                !(300..<400).contains(status) && status != 206
                    && !head.headerFields.contains(.contentEncoding)
            })
        else { return nil }
        return ClientResponse(round, hop, whole, .unkept(round.looked, whole.status))
    }
}

extension CacheStatus {
    /// Of an answer of the origin's that nothing was to be done with.
    init(unkept planned: Planned, _ forwardStatus: Int) {
        self.init(key: planned.key.targetURI, forward: planned.forwardReason ?? .miss)
        self.forwardStatus = forwardStatus
        isStored = false
    }
}
