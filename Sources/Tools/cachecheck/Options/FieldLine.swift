import Explanation
import HTTPTypes

/// Parses a line such as `Name: value`; `nil` if it is not one field line.
func fieldLine(_ text: String) -> HTTPField? {
    // Line ends in a value would be replaced by spaces when it is sent.
    if text.utf8.contains(where: { $0 == 0x0A || $0 == 0x0D || $0 == 0 }) { return nil }
    return RawHead.field(text)
}
