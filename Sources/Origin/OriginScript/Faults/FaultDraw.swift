/// Random numbers of one request, each a pure function of its purpose.
///
/// There is no stream of numbers, and the order of arrival has no influence: equal seed, scope, request and question
/// give equal numbers.
package struct FaultDraw: Sendable, Hashable {
    /// The run's seed.
    package var seed: UInt64
    /// The scenario's id, or the page or route.
    package var scope: String
    /// The request's label, or its method, target and number; for a connection, its number.
    package var request: String

    /// Creates the random numbers of one request.
    package init(seed: UInt64, scope: String, request: String) {
        self.seed = seed
        self.scope = scope
        self.request = request
    }

    /// Returns the 64-bit number of a question and a counter.
    package func bits(_ event: FaultEvent, _ question: String, _ counter: Int = 0) -> UInt64 {
        var hash = Self.mixed(seed ^ 0x9E37_79B9_7F4A_7C15)
        for part in [scope, request, event.rawValue, question] {
            for byte in part.utf8 { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
            // So that "ab", "c" and "a", "bc" differ.
            hash = Self.mixed(hash ^ UInt64(part.utf8.count))
        }
        return Self.mixed(hash ^ Self.mixed(UInt64(truncatingIfNeeded: counter) &+ 0xD1B5_4A32_D192_ED03))
    }

    /// Returns a number in 0..<1.
    package func unit(_ event: FaultEvent, _ question: String, _ counter: Int = 0) -> Double {
        Double(bits(event, question, counter) >> 11) * 0x1p-53
    }

    /// Returns a number mixed by the finalizer of SplitMix64: every bit of the result depends on every bit of the
    /// argument.
    private static func mixed(_ value: UInt64) -> UInt64 {
        var z = value
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}
