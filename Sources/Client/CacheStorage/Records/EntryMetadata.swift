import CacheSemantics
import HTTPTypes

/// The metadata of an entry, which is everything but its content, and its binary form.
///
/// The form is a version byte and the parts in a fixed order, followed by nothing. Whether the response is invalidated
/// is not part of it, so that an invalidation rewrites no metadata.
struct EntryMetadata: Sendable {
    static let version: UInt8 = 4

    var stored: StoredResponse
    var userInfo: [String: UserInfoValue]
    var storagePolicy: StoragePolicy
    var storedAt: Double
    var received: HTTPVersion

    init(_ entry: CacheEntry) {
        stored = entry.stored
        userInfo = entry.userInfo
        storagePolicy = entry.storagePolicy
        storedAt = entry.storedSeconds
        received = entry.version
    }

    /// Returns whether content of `count` bytes can belong to this metadata.
    func fits(_ count: Int) -> Bool { stored.parts.map { $0.count == count } ?? true }

    /// Returns the entry with this metadata and `body`.
    func entry(body: StoredBody, isInvalidated: Bool) -> CacheEntry {
        var entry = CacheEntry(
            stored: stored.invalidated(isInvalidated).holding(contentLength: body.count),
            body: body,
            userInfo: userInfo,
            storagePolicy: storagePolicy
        )
        entry.storedSeconds = storedAt
        entry.version = received
        return entry
    }
}

extension EntryMetadata {
    /// Returns the binary form.
    func encoded() -> [UInt8] {
        var writer = ByteWriter(capacity: 512)
        encode(into: &writer)
        return writer.bytes
    }

    /// The size of the binary form, in bytes, computed without creating it.
    var encodedSize: Int {
        var counter = ByteCounter()
        encode(into: &counter)
        return counter.count
    }

    private func encode(into writer: inout some ByteSink) {
        writer.write(byte: Self.version)
        writer.write(text: stored.key.targetURI)
        writer.write(text: stored.key.content)
        writer.write(text: stored.variant.text)
        writer.write(text: stored.method.rawValue)
        writer.write(word: UInt64(bitPattern: stored.requestTime.secondsSinceEpoch))
        writer.write(word: UInt64(bitPattern: stored.responseTime.secondsSinceEpoch))
        writer.write(word: storedAt.bitPattern)
        writer.write(byte: storagePolicy == .allowed ? 0 : 1)
        writer.write(byte: received.code)
        writer.write(count: stored.statusCode)
        writer.write(text: stored.response.status.reasonPhrase)
        writer.write(fields: stored.response.headerFields)
        writer.write(fields: stored.selectingFields)
        writer.write(userInfo: userInfo)
        writer.write(parts: stored.parts)
        writer.write(byte: stored.isAlias ? 1 : 0)
        if stored.isAlias { writer.write(text: stored.contentVariant.text) }
    }

    /// Reads the binary form; `nil` if the bytes are not one.
    ///
    /// If they belong to `key`, that key is used, so that its text need not be created again.
    init?(_ bytes: UnsafeRawBufferPointer, of key: CacheKey? = nil, isInvalidated: Bool) {
        var reader = ByteReader(bytes)
        guard reader.readByte() == Self.version, let key = reader.readKey(key),
            let variant = reader.readText(), let method = reader.readMethod(),
            let requested = reader.readWord(), let received = reader.readWord(),
            let storedAt = reader.readWord(),
            let policy = reader.readByte(), let version = reader.readByte().flatMap(HTTPVersion.init(code:)),
            let status = reader.readStatus(),
            let fields = reader.readFields(), let selecting = reader.readFields(),
            let userInfo = reader.readUserInfo(), let parts = reader.readParts(),
            let contentOf = reader.readContentVariant(), reader.isAtEnd
        else { return nil }
        stored = StoredResponse(
            key: key,
            variant: VariantKey(text: variant),
            method: method,
            selectingFields: selecting,
            response: HTTPResponse(status: status, headerFields: fields),
            requestTime: HTTPDate(secondsSinceEpoch: Int64(bitPattern: requested)),
            responseTime: HTTPDate(secondsSinceEpoch: Int64(bitPattern: received)),
            isInvalidated: isInvalidated,
            parts: parts,
            contentOf: contentOf
        )
        self.userInfo = userInfo
        storagePolicy = policy == 0 ? .allowed : .allowedInMemoryOnly
        self.storedAt = Double(bitPattern: storedAt)
        self.received = version
    }
}

extension ByteSink {
    fileprivate mutating func write(fields: HTTPFields) {
        write(count: fields.count)
        for field in fields {
            let code = FieldNameTable.code(field.name)
            write(byte: code)
            if code == 0 { write(text: field.name.rawName) }
            field.withUnsafeBytesOfValue { write(buffer: $0) }
        }
    }

    /// Writes the number of ranges, zero for a complete response; then each range, and the complete length plus one,
    /// zero if it is unknown.
    fileprivate mutating func write(parts: StoredParts?) {
        write(count: parts?.ranges.count ?? 0)
        guard let parts else { return }
        for range in parts.ranges {
            write(word: UInt64(bitPattern: range.first))
            write(word: UInt64(bitPattern: range.last))
        }
        write(word: parts.completeLength.map { UInt64(bitPattern: $0) &+ 1 } ?? 0)
    }

    fileprivate mutating func write(userInfo: [String: UserInfoValue]) {
        write(count: userInfo.count)
        guard !userInfo.isEmpty else { return }
        // Sorted, so that equal user info has equal bytes.
        for (name, value) in userInfo.sorted(by: { $0.key < $1.key }) {
            write(text: name)
            write(value)
        }
    }

    private mutating func write(_ value: UserInfoValue) {
        switch value {
        case .text(let text):
            write(byte: 0)
            write(text: text)
        case .integer(let number):
            write(byte: 1)
            write(word: UInt64(bitPattern: number))
        case .number(let number):
            write(byte: 2)
            write(word: number.bitPattern)
        case .boolean(let isTrue):
            write(byte: isTrue ? 4 : 3)
        }
    }
}

extension ByteReader {
    fileprivate mutating func readKey(_ expected: CacheKey?) -> CacheKey? {
        guard let uri = readBuffer(), let content = readBuffer() else { return nil }
        if let expected, uri.isText(expected.targetURI), content.isText(expected.content) { return expected }
        return CacheKey(
            targetURI: String(decoding: uri, as: UTF8.self),
            content: String(decoding: content, as: UTF8.self)
        )
    }

    fileprivate mutating func readMethod() -> HTTPRequest.Method? {
        guard let buffer = readBuffer() else { return nil }
        // Nearly all methods are GET; parsing a name would check each letter.
        if buffer.isText("GET") { return .get }
        return HTTPRequest.Method(String(decoding: buffer, as: UTF8.self))
    }

    fileprivate mutating func readStatus() -> HTTPResponse.Status? {
        guard let code = readNumber(below: 1000), let reason = readText() else { return nil }
        return HTTPResponse.Status(code: code, reasonPhrase: reason)
    }

    fileprivate mutating func readFields() -> HTTPFields? {
        guard let count = readCount() else { return nil }
        var fields = HTTPFields()
        fields.reserveCapacity(count)
        for _ in 0..<count {
            guard let name = readFieldName(), let value = readBuffer() else {
                return nil
            }
            fields.append(Self.field(name, value))
        }
        return fields
    }

    /// Creates a field; most values are plain ASCII, which needs no second look at every byte.
    private static func field(_ name: HTTPField.Name, _ value: UnsafeBufferPointer<UInt8>) -> HTTPField {
        let isPlain = value.allSatisfy { $0 &- 0x20 < 0x5F } && value.first != 0x20 && value.last != 0x20
        return isPlain
            ? HTTPField(name: name, value: String(decoding: value, as: UTF8.self))
            : HTTPField(name: name, lenientValue: value)
    }

    private mutating func readFieldName() -> HTTPField.Name? {
        switch readByte() {
        case nil: nil
        case 0: readText().flatMap { HTTPField.Name($0) }
        case let code?: FieldNameTable.name(code)
        }
    }

    /// Reads the parts; `nil` if they are unreadable, an inner `nil` for a complete response.
    fileprivate mutating func readParts() -> StoredParts?? {
        guard let count = readCount() else { return .none }
        guard count > 0 else { return .some(nil) }
        var ranges: [ByteRange] = []
        for _ in 0..<count {
            guard let first = readWord(), let last = readWord(),
                let range = ByteRange(first: Int64(bitPattern: first), last: Int64(bitPattern: last))
            else { return .none }
            ranges.append(range)
        }
        guard let length = readWord() else { return .none }
        let complete = length == 0 ? nil : Int64(bitPattern: length &- 1)
        return StoredParts(ranges, completeLength: complete).map { .some($0) } ?? .none
    }

    /// Reads the variant that has the content; `nil` if it is unreadable, an inner `nil` for a response with its own
    /// content.
    fileprivate mutating func readContentVariant() -> VariantKey?? {
        switch readByte() {
        case 0: return .some(nil)
        case 1:
            guard let text = readText() else { return .none }
            return .some(VariantKey(text: text))
        default: return .none
        }
    }

    fileprivate mutating func readUserInfo() -> [String: UserInfoValue]? {
        guard let count = readCount() else { return nil }
        var userInfo: [String: UserInfoValue] = [:]
        for _ in 0..<count {
            guard let name = readText(), let value = readUserInfoValue() else { return nil }
            userInfo[name] = value
        }
        return userInfo
    }

    private mutating func readUserInfoValue() -> UserInfoValue? {
        switch readByte() {
        case 0: readText().map(UserInfoValue.text)
        case 1: readWord().map { .integer(Int64(bitPattern: $0)) }
        case 2: readWord().map { .number(Double(bitPattern: $0)) }
        case 3: .boolean(false)
        case 4: .boolean(true)
        default: nil
        }
    }
}
