import HTTPServing
import OriginScript

/// A step of passing on a message.
enum Effect: Sendable {
    /// Send this range of the bytes at hand.
    case pass(Range<Int>)
    /// Send other bytes.
    case insert([UInt8])
    /// Send bytes that are made piece by piece.
    case produce(ContentProducer)
    /// Wait.
    case wait(Duration)
    /// Wait until a release.
    case hold
    /// Wait until the client gives up.
    case stall
    /// End the connection; nothing follows.
    case end(ConnectionEnd)
}
