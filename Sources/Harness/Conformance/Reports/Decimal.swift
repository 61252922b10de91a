/// Returns `value` with exactly `places` digits after the point, rounded half away from zero.
func decimal(_ value: Double, places: Int) -> String {
    let scale = (0..<places).reduce(1.0) { power, _ in power * 10 }
    let scaled = (value * scale).rounded()
    guard let whole = Int64(exactly: scaled) else { return "\(value)" }
    let sign = whole < 0 ? "-" : ""
    let digits = String(whole.magnitude)
    if places == 0 { return sign + digits }
    let padded = String(repeating: "0", count: max(0, places + 1 - digits.count)) + digits
    return sign + padded.dropLast(places) + "." + padded.suffix(places)
}

/// Returns `value` in seconds without trailing zeros: `60 s`, `0.25 s`.
func secondsText(_ value: Double) -> String {
    // Most values are whole, and each step of a scenario has one.
    if let whole = Int(exactly: value) { return "\(whole) s" }
    var text = decimal(value, places: 3)
    while text.hasSuffix("0") { text.removeLast() }
    if text.hasSuffix(".") { text.removeLast() }
    return text + " s"
}
