import CLibrary
import Clocks

extension SystemClock {
    /// Today's date in UTC, as `2026-01-01`.
    var today: String {
        var seconds = time_t(wallSeconds)
        var parts = tm()
        gmtime_r(&seconds, &parts)
        let two: (Int32) -> String = { ($0 < 10 ? "0" : "") + "\($0)" }
        return "\(parts.tm_year + 1900)-\(two(parts.tm_mon + 1))-\(two(parts.tm_mday))"
    }
}
