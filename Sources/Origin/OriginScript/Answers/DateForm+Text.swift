import Clocks
import WireSyntax

extension DateForm {
    /// Returns a timestamp in this form (RFC 9110 §5.6.7), in whole seconds; `time` is since 1970-01-01T00:00:00Z.
    public func text(sinceEpoch time: Duration) -> String { text(secondsSinceEpoch: time.wholeSeconds) }

    /// Returns a timestamp in this form; `secondsSinceEpoch` counts from 1970-01-01T00:00:00Z.
    package func text(secondsSinceEpoch: Int64) -> String {
        let moment = CivilTimestamp(secondsSinceEpoch: secondsSinceEpoch)
        return switch self {
        case .imf: moment.imfFixdate
        case .rfc850: moment.rfc850Date
        case .asctime: moment.asctimeDate
        }
    }
}
