import MockOrigin
import OriginScript

/// A date in one of the three forms of RFC 9110 §5.6.7 that formatting reproduces exactly.
struct HTTPDateText {
    let seconds: Int64
    let form: DateForm

    /// Parses a date received at a given time; `nil` if it is invalid, or not reproduced by formatting.
    init?(_ text: String, at wallSeconds: Double) {
        guard let moment = HTTPTimestamp(reading: text, now: HTTPTimestamp(wallSeconds: wallSeconds)),
            let form = DateForm.allCases.first(where: { moment.text($0) == text })
        else { return nil }
        (seconds, self.form) = (moment.seconds, form)
    }
}
