/// The progress of reading one request's content.
struct ReadingPace {
    let reading: RequestReading
    private var next = 0
    /// When the bytes read so far were due at the rate.
    private var freeAt: Duration

    init(_ reading: RequestReading, now: Duration) {
        self.reading = reading
        freeAt = now
    }

    /// Returns the next stop that is due after `count` bytes, once.
    mutating func nextAction(after count: Int) -> RequestReading.Action? {
        guard next < reading.stops.count, reading.stops[next].offset <= count else { return nil }
        defer { next += 1 }
        return reading.stops[next].action
    }

    /// Returns the number of the `offered` bytes that may be read now.
    func share(of offered: Int, after count: Int) -> Int {
        var share = offered
        if next < reading.stops.count { share = min(share, max(1, reading.stops[next].offset - count)) }
        guard let rate = reading.bytesPerSecond else { return share }
        if count < reading.slowFrom { return min(share, reading.slowFrom - count) }
        return min(share, max(rate / 50, 1))
    }

    /// Returns the time until a number of bytes may be read at the rate; `nil` if there is nothing to wait for.
    mutating func time(for taken: Int, after count: Int, now: Duration) -> Duration? {
        guard let rate = reading.bytesPerSecond, count >= reading.slowFrom else {
            freeAt = now
            return nil
        }
        // Compensates for late wake-ups, but not for time in which the client sent nothing.
        if now - freeAt > .milliseconds(100) { freeAt = now }
        freeAt += .seconds(1) * taken / max(rate, 1)
        return freeAt - now > .milliseconds(1) ? freeAt - now : nil
    }
}
