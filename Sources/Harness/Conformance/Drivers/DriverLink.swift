import Clocks
import LocatedYAML
import Locks

/// One process of a driver and the commands that it has received.
///
/// Any misbehaviour breaks the link permanently: the driver hangs, ends, or writes something that is not a reply.
final class DriverLink: Sendable {
    typealias Completion = @Sendable (Result<DriverReply, SubjectError>) -> Void
    private struct Question {
        let id: Int
        let command: DriverCommand
        let timeout: Duration
        let onSent: @Sendable () -> Void
        let completion: Completion
        var timer: Sleeper?
    }
    private struct State {
        var nextID = 1
        var asked: [Int: Question] = [:]
        /// Commands that wait until the current one is answered.
        var queue: [Question] = []
        var breakdown: String?
        var process: ChildProcess?
        var channel: LineChannel?

        /// Takes the next command from the queue if no other is waiting for its reply; `nil` if there is none to send.
        mutating func takeNext() -> Question? {
            guard asked.isEmpty, !queue.isEmpty else { return nil }
            let next = queue.removeFirst()
            asked[next.id] = next
            return next
        }

        /// Abandons the driver; returns the commands that get no reply, none if it was abandoned before.
        mutating func giveUp(_ reason: String) -> [Question] {
            guard breakdown == nil else { return [] }
            breakdown = reason
            defer { (asked, queue) = ([:], []) }
            return Array(asked.values) + queue
        }
    }
    private let clock: SystemClock
    private let name: String
    private let state = Lock(State())

    private let isParallel: Bool
    /// The clock of the process; `nil` for the machine's.
    let fakeTime: FakeTime?

    /// Starts a driver; one that is not parallel gets one command at a time.
    init(
        _ command: [String],
        isParallel: Bool = false,
        fakeTime: FakeTime? = nil,
        clock: SystemClock
    ) throws(SubjectError) {
        self.clock = clock
        self.isParallel = isParallel
        self.fakeTime = fakeTime
        name = command.joined(separator: " ")
        let (input, output, errors) = (try PipeEnds(), try PipeEnds(), try PipeEnds())
        let streams = ChildProcess.Streams(
            input: input.reading,
            output: output.writing,
            errors: errors.writing
        )
        let process = try ChildProcess((fakeTime?.prefix ?? []) + command, streams: streams)
        input.closeReading()
        output.closeWriting()
        errors.closeWriting()
        let receiver = LineChannel.Receiver(
            line: { [weak self] in self?.take($0) },
            end: { [weak self] in self?.fail($0) }
        )
        let channel = try LineChannel(
            input: input.writing,
            output: output.reading,
            errors: errors.reading,
            receiver: receiver
        )
        state.withLock { state in
            state.process = process
            state.channel = channel
        }
    }

    /// The reason why the driver can no longer be used; `nil` while it can.
    var breakdown: String? { state.withLock { $0.breakdown } }

    /// Sends a command, at once or when it is next in the queue; `onSent` is called when it is sent.
    ///
    /// `completion` is called once, on any thread, at most `timeout` after `onSent`.
    func ask(
        _ command: DriverCommand,
        within timeout: Duration,
        onSent: @escaping @Sendable () -> Void = {},
        _ completion: @escaping Completion
    ) {
        let (breakdown, next) = state.withLock { state -> (String?, Question?) in
            if let breakdown = state.breakdown { return (breakdown, nil) }
            let question = Question(
                id: state.nextID,
                command: command,
                timeout: timeout,
                onSent: onSent,
                completion: completion
            )
            state.nextID += 1
            if isParallel || state.asked.isEmpty {
                state.asked[question.id] = question
                return (nil, question)
            }
            state.queue.append(question)
            return (nil, nil)
        }
        if let breakdown { return completion(.failure(SubjectError(breakdown))) }
        if let next { send(next) }
    }

    private func send(_ question: Question) {
        let (id, title, timeout) = (question.id, question.command.title, question.timeout)
        let timer = clock.schedule(after: timeout) { [weak self] in
            self?.fail("it did not answer \(title) within \(secondsText(timeout.seconds))", to: id)
        }
        let channel = state.withLock { state in
            state.asked[id]?.timer = timer
            return state.channel
        }
        question.onSent()
        channel?.send(Array(question.command.line(id: id).utf8))
    }

    /// Sends a command and waits for its reply.
    func ask(_ command: DriverCommand, within timeout: Duration) throws(SubjectError) -> DriverReply {
        let result = Lock<Result<DriverReply, SubjectError>?>(nil)
        let signal = Signal()
        ask(command, within: timeout) { reply in
            result.withLock { $0 = reply }
            signal.raise()
        }
        _ = signal.wait(after: 0)
        switch result.withLock({ $0 }) {
        case .success(let reply)?: return reply
        case .failure(let error)?: throw error
        case nil: throw SubjectError("\(name) did not answer")
        }
    }

    /// Closes the driver's standard input and returns how the driver ended; `nil` if it did not end within `timeout`.
    func finish(within timeout: Duration) -> String? {
        let (process, channel) = state.withLock { ($0.process, $0.channel) }
        channel?.close()
        channel?.join()
        let ending = process?.ending(within: timeout)
        close()
        return ending
    }

    /// Ends the driver and its process group; returns when both have ended.
    func close() {
        fail("it was terminated")
        let (process, channel) = state.withLock { state in
            defer { (state.process, state.channel) = (nil, nil) }
            return (state.process, state.channel)
        }
        channel?.close()
        channel?.join()
        process?.end()
    }

    // MARK: Replies

    private func take(_ line: [UInt8]) {
        do throws(YAMLProblems) {
            try answer(DriverReply.decode(line, file: "its reply"), line)
        } catch {
            fail("\(error.problems.first.map(\.description) ?? ""): \(Self.excerpt(line))")
        }
    }

    private func answer(_ reply: DriverReply, _ line: [UInt8]) throws(YAMLProblems) {
        guard let question = state.withLock({ $0.asked.removeValue(forKey: reply.id) }) else {
            return fail(
                "it replied to command \(reply.id), which is not waiting for a reply: \(Self.excerpt(line))"
            )
        }
        question.timer?.cancel()
        question.completion(.success(reply))
        if let next = state.withLock({ isParallel ? nil : $0.takeNext() }) { send(next) }
    }

    private func fail(_ reason: String, to id: Int) {
        if state.withLock({ $0.asked[id] != nil }) { fail(reason) }
    }

    private func fail(_ reason: String) {
        let (process, channel, isFirst) = state.withLock { state in
            (state.process, state.channel, state.breakdown == nil)
        }
        if !isFirst { return }
        let ending = process?.ending(within: .seconds(2)).map { "; it \($0)" } ?? ""
        let text = "the driver \(name) failed: \(reason)\(ending)\(Self.quoted(channel?.complaints ?? ""))"
        let asked = state.withLock { $0.giveUp(text) }
        // A driver that hangs or floods must not continue until the end of the run.
        channel?.close()
        for question in asked {
            question.timer?.cancel()
            question.completion(.failure(SubjectError(text)))
        }
    }

    private static func quoted(_ complaints: String) -> String {
        let last = complaints.split(whereSeparator: \.isNewline).suffix(3).joined(separator: " / ")
        return last.isEmpty ? "" : "; its standard error: \(Transcript.printable(last))"
    }

    private static func excerpt(_ line: [UInt8]) -> String {
        YAMLNode.quoted(Transcript.printable(String(decoding: line.prefix(400), as: UTF8.self)))
    }
}
