import OriginScript

extension ContentScanner {
    /// Goes through the input as far as its parts are known, and has a track take them; `event` is that of the content.
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
            case .framing: track.frame(range)
            case .end where event == .body:
                track.enterOnce(.end)
                track.take(range, of: input.bytes)
            case .end: track.frame(range)
            }
        }
    }

    /// Goes through content that is not passed on.
    mutating func skip(_ input: inout InputBuffer, _ capture: (ArraySlice<UInt8>) -> Void = { _ in }) {
        while let (part, count) = next(input.rest) {
            if part == .content { capture(input.rest.prefix(count)) }
            input.position += count
        }
    }
}
