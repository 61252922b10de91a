import HTTPServing
import MockOrigin

/// An origin of ours, which whoever runs scenarios has to know to be there.
protocol LosableOrigin: Sendable {
    /// The port it listens on.
    var port: UInt16 { get }
    /// Whether it takes no more connections although nobody has told it so.
    var isLost: Bool { get }
}

extension MockServer: LosableOrigin {}

extension SuiteServer: LosableOrigin {}

extension LosableOrigin {
    /// Why nothing that is seen behind it is a verdict; `nil` while it is there.
    var breakdown: String? { isLost ? "the origin at port \(port) is gone" : nil }
}
