import MockOrigin
import OriginScript

extension ContentScanner {
    /// Scans the input as far as it can be parsed and passes each part to the track; `event` is the content's fault event.
    mutating func scan(
        _ input: inout InputBuffer,
        _ track: inout FaultTrack,
        content event: FaultEvent,
        _ capture: (ArraySlice<UInt8>) -> Void = { _ in }
    ) {
        while let (part, count) = next(input.rest) {
            let range = input.position..<input.position + count
            input.position += count
            switch part {
            case .content:
                track.take(range, of: input.bytes)
                capture(input.bytes[range])
            case .framing: track.frame(range, of: input.bytes)
            case .end where event == .body:
                track.enterOnce(.end)
                track.take(range, of: input.bytes)
            case .end: track.frame(range, of: input.bytes)
            }
        }
    }

    /// Scans content that is not forwarded.
    mutating func skip(_ input: inout InputBuffer, _ capture: (ArraySlice<UInt8>) -> Void = { _ in }) {
        while let (part, count) = next(input.rest) {
            if part == .content { capture(input.rest.prefix(count)) }
            input.position += count
        }
    }
}
