import HTTPServing

/// Bytes that were received on a connection and not yet consumed.
struct InputBuffer: ~Copyable {
    /// The kind of the next bytes.
    enum Head {
        case head(HeadBytes, Range<Int>)
        /// Nothing that the proxy understands as a head.
        case unknown
        /// Nothing more comes; `isReset` where the connection was reset.
        case over(isReset: Bool)
    }
    /// Bytes of a head above which it is not read as one.
    private static let maximumHeadBytes = 1 << 20
    private static let (smallRead, largeRead) = (16 << 10, 64 << 10)

    let stream: DuplexStream
    private(set) var bytes: [UInt8] = []
    /// The position in `bytes` of the first that was not used.
    var position = 0
    private(set) var isReset = false
    private var capacity = smallRead

    init(_ stream: DuplexStream) { self.stream = stream }

    /// The bytes that were not used.
    var rest: ArraySlice<UInt8> { bytes[position...] }

    /// Reads more; false at the end.
    mutating func more() async -> Bool {
        // A connection that waits keeps no memory for what it has read.
        if position == bytes.count { (bytes, position) = ([], 0) }
        return add(await stream.read(capacity))
    }

    private mutating func add(_ received: DuplexStream.Received) -> Bool {
        guard case .bytes(let new) = received else {
            isReset = received == .failed
            return false
        }
        capacity = new.count == capacity ? Self.largeRead : Self.smallRead
        if position == bytes.count {
            bytes = new
        } else {
            // Where nothing was used, this appends alone: a head may arrive byte by byte.
            bytes.removeSubrange(..<position)
            bytes += new
        }
        position = 0
        return true
    }

    /// Reads the next head without using it; returns `nil`, without waiting, if nothing of it has been received.
    mutating func nextHead() async -> Head? {
        if position == bytes.count {
            guard let received = stream.readNow(capacity) else { return nil }
            guard add(received) else { return .over(isReset: isReset) }
        }
        return await head()
    }

    /// Reads the next head without using it.
    mutating func head() async -> Head {
        var searched = 0
        while true {
            if position < bytes.count, let end = HeadBytes.end(in: bytes, from: position, after: searched) {
                return .head(HeadBytes(Array(bytes[position..<end])), position..<end)
            }
            searched = bytes.count - position
            if searched > Self.maximumHeadBytes { return .unknown }
            if await !more() { return .over(isReset: isReset) }
        }
    }

    /// Replaces bytes that were not used, and returns where the new ones are.
    mutating func replace(_ range: Range<Int>, with new: [UInt8]) -> Range<Int> {
        bytes.replaceSubrange(range, with: new)
        return range.lowerBound..<range.lowerBound + new.count
    }
}
