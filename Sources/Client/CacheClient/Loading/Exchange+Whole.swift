import CacheSemantics
import HTTPTypes
import Locks

extension Exchange {
    /// An exchange that has ended successfully, with content of the announced length.
    struct Whole: Sendable {
        let head: HTTPResponse
        /// The status of the head, which parses its digits each time it is read.
        let status: Int
        /// When the head arrived.
        let received: HTTPDate
        let headAt: Duration?
        let start: TransportStart
        let endedAt: Duration
        let content: [UInt8]
        let end: TransportEnd

        fileprivate init(
            _ state: __shared State,
            _ head: HTTPResponse,
            _ status: Int,
            _ content: [UInt8],
            _ end: TransportEnd
        ) {
            self.head = head
            self.status = status
            received = state.headTime
            headAt = state.headAt
            start = state.start
            endedAt = state.lastArrival
            self.content = content
            self.end = end
        }
    }

    /// Takes the whole exchange out, leaving nothing, if it is complete and `willDo` accepts its head.
    func takeWhole(where willDo: (_ head: HTTPResponse, _ status: Int) -> Bool) -> Whole? {
        state.withLock { state in
            guard case .success(let end) = state.end, end.isLengthChecked, let head = state.head.take() else {
                return nil
            }
            let status = head.status.code
            guard willDo(head, status) else {
                state.head = head
                return nil
            }
            var content: [UInt8] = []
            swap(&content, &state.content)
            return Whole(state, head, status, content, end)
        }
    }

    /// Returns the whole exchange, if it is complete.
    func whole() -> Whole? {
        state.withLock { state in
            guard case .success(let end) = state.end, end.isLengthChecked, let head = state.head else {
                return nil
            }
            return Whole(state, head, head.status.code, state.content, end)
        }
    }
}
