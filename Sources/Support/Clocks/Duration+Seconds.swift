extension Duration {
    /// The duration in seconds, with fraction.
    package var seconds: Double {
        let (seconds, attoseconds) = limited.components
        // By division, because a product with 1e-18 is not the nearest number: 0.3 s would be 0.30000000000000004.
        return Double(seconds) + Double(attoseconds) / 1e18
    }

    /// The duration in seconds as text, with a fraction only if there is one: `60`, `0.3`.
    package var secondsText: String {
        let (whole, attoseconds) = limited.components
        return attoseconds == 0 ? "\(whole)" : "\(seconds)"
    }

    /// The duration in whole seconds, rounded down; the nearest number if that is beyond all.
    package var wholeSeconds: Int64 {
        if self >= Self.longest { return .max }
        if self <= Self.shortest { return .min }
        let (seconds, attoseconds) = components
        return attoseconds < 0 ? seconds - 1 : seconds
    }

    /// Returns a duration from seconds that may be any number, such as one from a file: the nearest possible one, or zero
    /// if they are no number.
    ///
    /// `Duration.seconds` traps for numbers beyond its range.
    package static func saturating(seconds: Double) -> Duration {
        if seconds.isNaN { return .zero }
        if seconds >= 0x1p63 { return longest }
        if seconds <= -0x1p63 { return shortest }
        return .seconds(seconds)
    }

    /// The nearest duration of at most `Int64.max` seconds in either direction.
    ///
    /// Beyond, `components` traps; below, the sum of two durations does not.
    package var limited: Duration { min(max(self, Self.shortest), Self.longest) }

    // Not by Duration.init: a release build of this module would then find timespec in a module that cannot be imported.
    private static let longest = Duration.seconds(Int64.max)
    private static let shortest = Duration.seconds(Int64.min)
}
