import CacheClient
import CacheSemantics
import CacheStorage
import CLibrary
import HTTPServing

/// Answers requests from the store on the thread that read them; most requests are answered here.
///
/// Keeps the parsed request and the response's head for recently answered requests.
final class HitAnswerer: StreamAnswerer {
    private final class Known {
        let bytes: [UInt8]
        let request: ClientRequest
        let head: HitHead
        var hit: StoredHit
        /// `nil` if no one observes exchanges.
        let exchange: GatewayExchange?

        init(
            _ bytes: [UInt8],
            _ request: ClientRequest,
            _ head: HitHead,
            _ hit: StoredHit,
            _ exchange: GatewayExchange?
        ) {
            self.bytes = bytes
            self.request = request
            self.head = head
            self.hit = hit
            self.exchange = exchange
        }
    }
    /// The limits for requests that are kept: their number, and the bytes of one's head and content.
    private static let limit = 512
    private static let largestHead = 2 << 10
    private static let largestContent = 32 << 10
    private let handler: GatewayHandler
    private var known: [UInt64: Known] = [:]

    init(_ handler: GatewayHandler) { self.handler = handler }

    func answerAgain(_ bytes: UnsafeBufferPointer<UInt8>, _ answer: inout StreamAnswer) -> Bool {
        let begun = handler.reporter?.begin()
        let digest = Self.digest(bytes)
        guard let request = known[digest], Self.areEqual(request.bytes, bytes) else { return false }
        guard confirm(request) else {
            known[digest] = nil
            return false
        }
        serve(request.hit, request.head, &answer)
        report(request.exchange, request.hit, begun)
        return true
    }

    /// Looks the hit up again if its stored response has aged since; returns `false` if that has been replaced.
    private func confirm(_ request: Known) -> Bool {
        if handler.client.confirms(request.hit) { return true }
        guard let hit = handler.client.hit(for: request.request),
            hit.reuse.stored.isIdentical(to: request.hit.reuse.stored)
        else { return false }
        request.hit = hit
        return true
    }

    func answer(_ head: StreamHead, _ answer: inout StreamAnswer) -> Bool {
        let begun = handler.reporter?.begin()
        // RFC 9110 §9.3.1: only GET is answered directly with a stored response.
        guard head.method.elementsEqual("GET".utf8),
            case .forward(let request) = ForwardedRequest(head.request, handler.target),
            let hit = handler.client.hit(for: request)
        else { return false }
        let text = HitHead(hit, endsConnection: !head.isPersistent, isHTTP11: head.isHTTP11)
        serve(hit, text, &answer)
        let exchange = handler.reporter.map { _ in GatewayExchange(head) }
        report(exchange, hit, begun)
        remember(Known(Array(head.bytes), request, text, hit, exchange))
        return true
    }

    private func report(_ exchange: GatewayExchange?, _ hit: StoredHit, _ begun: ExchangeReporter.Beginning?)
    {
        guard let exchange, let begun else { return }
        handler.reporter?.reportHit(exchange, hit, begun: begun)
    }

    private func serve(_ hit: StoredHit, _ head: HitHead, _ answer: inout StreamAnswer) {
        head.write(age: hit.reuse.age, lifetime: hit.reuse.lifetime, to: &answer.head)
        answer.body = hit.body
        answer.file = hit.file.map { StoredContent(file: $0) }
        answer.endsConnection = head.endsConnection
        handler.metrics.countHit(isStale: hit.reuse.isStale, bytes: hit.count)
    }

    private func remember(_ request: Known) {
        // A kept request retains its content, even if the store has removed it; and content in a file is another entry
        // at each lookup.
        guard handler.repeatsHits, request.bytes.count <= Self.largestHead,
            request.hit.body.count <= Self.largestContent,
            request.hit.file == nil
        else { return }
        if known.count >= Self.limit { known.removeAll(keepingCapacity: true) }
        known[request.bytes.withUnsafeBufferPointer { Self.digest($0) }] = request
    }

    private static func digest(_ bytes: UnsafeBufferPointer<UInt8>) -> UInt64 {
        // Seeded at random for each process, so that callers cannot choose requests with colliding digests.
        var hasher = Hasher()
        hasher.combine(bytes: UnsafeRawBufferPointer(bytes))
        return UInt64(truncatingIfNeeded: hasher.finalize())
    }

    private static func areEqual(_ left: [UInt8], _ right: UnsafeBufferPointer<UInt8>) -> Bool {
        left.count == right.count
            && left.withUnsafeBufferPointer { left in
                guard let left = left.baseAddress, let other = right.baseAddress else { return true }
                return memcmp(left, other, right.count) == 0
            }
    }
}

/// A stored body file that the server writes to a socket.
private struct StoredContent: FileContent {
    let file: StoredFile

    var count: Int { file.count }
    var descriptor: CInt { file.descriptor }
    var isUnchanged: Bool { file.isUnchanged }
}
