import MockOrigin
import OriginScript

/// Dates of fields that would be written again as they are, in the three forms of RFC 9110 §5.6.7.
struct HTTPDateText {
    let seconds: Int64
    let form: DateForm

    /// Reads a date that came at a moment; `nil` for what is none, and for what no form writes so.
    init?(_ text: String, at wallSeconds: Double) {
        guard let moment = HTTPMoment(reading: text, now: HTTPMoment(wallSeconds: wallSeconds)),
            let form = DateForm.allCases.first(where: { moment.text($0) == text })
        else { return nil }
        (seconds, self.form) = (moment.seconds, form)
    }
}
