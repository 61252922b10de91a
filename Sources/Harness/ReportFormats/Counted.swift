/// Returns a count with its noun, whose plural ends in `s`: `1 group`, `2 groups`.
package func counted(_ count: Int, _ noun: String) -> String { "\(count) \(noun)\(count == 1 ? "" : "s")" }
