import ArgumentParser
import Conformance
import Explanation
import HTTPTypes
import LocatedYAML

/// Returns a transformation of an option's text into its value, whose error states what is `expected`.
func expecting<Value>(
    _ expected: String,
    _ read: @escaping @Sendable (String) -> Value?
) -> @Sendable (String) throws -> Value {
    { text in
        guard let value = read(text) else { throw ValidationError("expected \(expected)") }
        return value
    }
}

/// Returns a transformation of an option's text by its type, whose error states what is `expected`.
func expecting<Value: ExpressibleByArgument>(_ expected: String) -> @Sendable (String) throws -> Value {
    expecting(expected) { Value(argument: $0) }
}

/// Reads a part of a run.
let shardOfRun: @Sendable (String) throws -> Shard = expecting("I/N with I from 1 to N, at most 10000")

/// Reads a port number; 0 is any free port.
let portNumber: @Sendable (String) throws -> UInt16 = expecting("a number from 0 to 65535")

/// Reads the name of a field.
let fieldName = expecting("a field name such as CDN-Cache-Control") { HTTPField.Name($0) }

/// Reads a field line.
let fieldLine = expecting("a field line 'Name: value'") { text -> HTTPField? in
    // Line ends in a value would be replaced by spaces when it is sent.
    if text.utf8.contains(where: { $0 == 0x0A || $0 == 0x0D || $0 == 0 }) { return nil }
    return RawHead.field(text)
}

/// Reads a request method.
let requestMethod = expecting("a token such as GET") { HTTPRequest.Method($0) }

/// Reads a number of bytes.
let byteSize = expecting("a size such as 64MiB or 1000") { ByteSize.bytes($0) }

/// Reads a duration.
let anyDuration = expecting("a duration such as 61s, 500ms, 5m, 2h or 1d") { Quantity.duration($0) }

/// Reads a duration above 0.
let positiveDuration = expecting("a duration above 0, such as 90s or 5m") { text in
    Quantity.duration(text).flatMap { $0 > .zero ? $0 : nil }
}

/// Reads a duration without a fraction of a second.
let wholeSeconds = expecting("whole seconds such as 61s, 5m, 2h or 1d") { text in
    Quantity.duration(text).flatMap { $0.components.attoseconds == 0 ? $0 : nil }
}

/// Reads a time limit of a server.
let timeLimit = expecting("a duration above 0 and up to 1d, such as 30s or 2m") { text in
    Quantity.duration(text).flatMap { $0 > .zero && $0 <= .seconds(86_400) ? $0 : nil }
}
