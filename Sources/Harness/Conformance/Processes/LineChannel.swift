import CLibrary
import Locks
import Threads

/// Messages to and from a program over its standard streams, on a separate thread.
///
/// Neither a program that does not read nor one that writes without end blocks the user of the channel.
final class LineChannel: Sendable {
    /// Callbacks for what the program sends; called on the channel's thread.
    struct Receiver: Sendable {
        /// A message, without its terminator.
        let line: @Sendable ([UInt8]) -> Void
        /// The end of the output, with the reason.
        let end: @Sendable (String) -> Void
    }
    private struct State {
        var outgoing: [UInt8] = []
        var isClosed = false
        /// The last bytes that the program wrote to its standard error.
        var complaints: [UInt8] = []
    }
    /// The length limit of a message in bytes.
    static let limit = 4 << 20
    private static let complaintLimit = 2048
    private let input: Int32
    private let output: Int32
    private let errors: Int32
    private let wake: PipeEnds
    private let terminator: UInt8
    private let state = Lock(State())
    private let thread = Lock<SystemThread?>(nil)

    /// Takes over the descriptors: `input` is written to, the others are read.
    ///
    /// Messages end with `terminator`, by default a line feed.
    init(
        input: Int32,
        output: Int32,
        errors: Int32,
        terminator: UInt8 = 10,
        receiver: Receiver
    ) throws(SubjectError) {
        (self.input, self.output, self.errors, self.terminator) = (input, output, errors, terminator)
        wake = try PipeEnds()
        for descriptor in [input, output, errors, wake.reading, wake.writing] {
            _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
        }
        let thread = SystemThread { [self] in run(receiver) }
        self.thread.withLock { $0 = thread }
    }

    // The thread keeps the channel alive, so no timer can fire now.
    deinit {
        wake.closeReading()
        wake.closeWriting()
    }

    /// Sends a message and its terminator.
    func send(_ message: [UInt8]) {
        state.withLock { state in
            if !state.isClosed { state.outgoing += message + [terminator] }
        }
        ring()
    }

    /// The program's last output to its standard error.
    var complaints: String {
        let bytes = state.withLock { $0.complaints }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Stops reading and writing; the thread then closes the descriptors and ends.
    func close() {
        state.withLock { $0.isClosed = true }
        ring()
    }

    /// Waits until the thread ends; called once, after `close`.
    func join() {
        let thread = thread.withLock { thread in
            defer { thread = nil }
            return thread
        }
        thread?.join()
    }

    private func ring() {
        var byte: UInt8 = 0
        _ = write(wake.writing, &byte, 1)
    }

    // MARK: The thread

    private func run(_ receiver: Receiver) {
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGPIPE)
        pthread_sigmask(SIG_BLOCK, &signals, nil)
        var reader = MessageReader(terminator: terminator, limit: Self.limit)
        let reason = exchange(&reader, receiver)
        state.withLock { $0.isClosed = true }
        receiver.end(reason)
        for descriptor in [input, output, errors] { shut(descriptor) }
    }

    /// Returns the descriptors to poll, in this order: output, waking, errors unless closed, and input if something waits
    /// for it.
    private func watched(hasErrors: Bool, wants: Bool) -> [pollfd] {
        [
            pollfd(fd: output, events: Int16(POLLIN), revents: 0),
            pollfd(fd: wake.reading, events: Int16(POLLIN), revents: 0),
            pollfd(fd: hasErrors ? errors : -1, events: Int16(POLLIN), revents: 0),
            pollfd(fd: wants ? input : -1, events: Int16(POLLOUT), revents: 0),
        ]
    }

    private func exchange(_ reader: inout MessageReader, _ receiver: Receiver) -> String {
        var hasErrors = true
        while true {
            let (wants, isClosed) = state.withLock { (!$0.outgoing.isEmpty, $0.isClosed) }
            if isClosed { return "it was terminated" }
            var entries = watched(hasErrors: hasErrors, wants: wants)
            if poll(&entries, nfds_t(entries.count), -1) < 0, errno != EINTR {
                return "its output cannot be polled"
            }
            if entries[1].revents != 0 { _ = some(of: wake.reading) }
            if entries[2].revents != 0 { hasErrors = complain(some(of: errors)) }
            if entries[3].revents != 0, !writeSome() { return "it closed its standard input" }
            if entries[0].revents != 0, let reason = take(some(of: output), &reader, receiver) {
                return reason
            }
        }
    }

    private func take(_ bytes: [UInt8]?, _ reader: inout MessageReader, _ receiver: Receiver) -> String? {
        guard let bytes else { return "it closed its standard output" }
        for message in reader.messages(adding: bytes) { receiver.line(message) }
        return reader.isOverLimit ? "it wrote a line of more than \(Self.limit) bytes" : nil
    }

    private func complain(_ bytes: [UInt8]?) -> Bool {
        guard let bytes else { return false }
        state.withLock { $0.complaints = Array(($0.complaints + bytes).suffix(Self.complaintLimit)) }
        return true
    }

    /// Returns the bytes that can be read now; `nil` at the end.
    private func some(of descriptor: Int32) -> [UInt8]? {
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        let count = read(descriptor, &buffer, buffer.count)
        if count < 0 { return errno == EAGAIN || errno == EINTR ? [] : nil }
        return count == 0 ? nil : Array(buffer[..<count])
    }

    private func writeSome() -> Bool {
        state.withLock { state in
            let count = write(input, state.outgoing, state.outgoing.count)
            if count > 0 { state.outgoing.removeFirst(count) }
            return count >= 0 || errno == EAGAIN || errno == EINTR
        }
    }
}

/// Calls `close` of the C library, whose name is hidden by a method's.
private func shut(_ descriptor: Int32) { close(descriptor) }

/// Splits a stream of bytes into messages.
struct MessageReader {
    private let terminator: UInt8
    private let limit: Int
    private var rest: [UInt8] = []

    init(terminator: UInt8, limit: Int) {
        self.terminator = terminator
        self.limit = limit
    }

    /// Whether the current message is longer than the limit.
    private(set) var isOverLimit = false

    /// Returns the messages that end in `bytes`, without their terminators; none after one that is too long.
    mutating func messages(adding bytes: [UInt8]) -> [[UInt8]] {
        var messages: [[UInt8]] = []
        var begin = bytes.startIndex
        while !isOverLimit, let end = bytes[begin...].firstIndex(of: terminator) {
            let message = rest + bytes[begin..<end]
            (rest, begin) = ([], end + 1)
            if message.count > limit { isOverLimit = true } else { messages.append(message) }
        }
        rest += bytes[begin...]
        if rest.count > limit { isOverLimit = true }
        if isOverLimit { rest = [] }
        return messages
    }
}
