import ArgumentParser
import Conformance

/// Returns a transformation of an option's text into its value, whose error states what is `expected`.
func expecting<Value: ExpressibleByArgument>(_ expected: String) -> @Sendable (String) throws -> Value {
    { text in
        guard let value = Value(argument: text) else { throw ValidationError("expected \(expected)") }
        return value
    }
}

/// Reads a part of a run.
let shardOfRun: @Sendable (String) throws -> Shard = expecting("I/N with I from 1 to N, at most 10000")

/// Reads a port number; 0 is any free port.
let portNumber: @Sendable (String) throws -> UInt16 = expecting("a number from 0 to 65535")
