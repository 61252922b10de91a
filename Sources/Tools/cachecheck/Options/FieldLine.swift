import Explanation
import HTTPTypes

/// The field that a line such as `Name: value` means; `nil` for what is none, or more than one line.
func fieldLine(_ text: String) -> HTTPField? {
    // A value with line ends would be sent with blanks in their place.
    if text.utf8.contains(where: { $0 == 0x0A || $0 == 0x0D || $0 == 0 }) { return nil }
    return RawHead.field(text)
}
