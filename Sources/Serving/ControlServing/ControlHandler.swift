import HTTPServing
import JSON
import Threads

/// Handles the requests of a control API, each in its own task.
struct ControlHandler: StreamHandler {
    let table: ControlTable
    let guarding: ControlGuard
    let crossOrigin: CrossOriginAccess
    /// Dedicated, so that requests are answered even if the program's tasks block their threads.
    let executor: ThreadExecutor
    /// Performs what would keep other requests waiting.
    let slowExecutor: ThreadExecutor

    func begin(_ exchange: StreamExchange) {
        let task = Task(executorPreference: executor) { await run(exchange) }
        exchange.onGone { task.cancel() }
    }

    func refusal(for problem: RequestProblem) -> [UInt8] {
        let answer = ControlProblem(status: problem.status, problem.explanation).answer
        return ControlHead.bytes(answer, isPersistent: false) + answer.bytes
    }

    private func run(_ exchange: StreamExchange) async {
        let origin = exchange.request.value(of: "Origin")
        var more = crossOrigin.fields(for: origin)
        var answer: ControlAnswer
        if let fields = crossOrigin.preflight(
            String(decoding: exchange.request.method, as: UTF8.self),
            origin: origin,
            requested: exchange.request.value(of: "Access-Control-Request-Method")
        ) {
            (answer, more) = (.done, fields)
        } else {
            answer = await self.answerOrProblem(exchange)
        }
        let isHead = exchange.request.method.elementsEqual("HEAD".utf8)
        switch answer.content {
        case .bytes:
            // The unread content of a rejected request would be parsed as the next request.
            let persists = exchange.request.isPersistent && exchange.hasWholeContent
            let head = ControlHead.bytes(answer, isPersistent: persists, adding: more)
            exchange.writeNow(isHead ? head : head + answer.bytes)
            exchange.finish(isPersistent: persists)
        case .events(let events):
            let head = ControlHead.bytes(answer, isPersistent: false, adding: more)
            // A new follower gets all events of the past at once.
            await withTaskExecutorPreference(slowExecutor) { await send(events, head: head, to: exchange) }
        }
    }

    private func answerOrProblem(_ exchange: StreamExchange) async -> ControlAnswer {
        do throws(ControlProblem) {
            return try await answer(exchange)
        } catch {
            return error.answer
        }
    }

    private func send(
        _ events: @Sendable (ControlAnswer.Send) async throws(ClientDisconnected) -> Void,
        head: [UInt8],
        to exchange: StreamExchange
    ) async {
        do throws(ClientDisconnected) {
            try await exchange.write(head)
            try await events { event throws(ClientDisconnected) in try await exchange.write(Array(event.utf8))
            }
            exchange.finish(isPersistent: false)
        } catch {
            exchange.abort()
        }
    }

    private func answer(_ exchange: StreamExchange) async throws(ControlProblem) -> ControlAnswer {
        let request = exchange.request
        let target = TargetParts(String(decoding: request.target, as: UTF8.self))
        var method = String(decoding: request.method, as: UTF8.self)
        if method == "HEAD" { method = "GET" }
        let found = Result { () throws(ControlProblem) in try table.find(method, target.path) }
        // A caller without a token must not learn which operations exist, unless all are open.
        let operation = try? found.get().operation
        let caller = table.isOpen ? nil : try guarding.admit(request.authorization, to: operation)
        let (admitted, parameters) = try found.get()
        let query = try Self.query(target.query)
        try Self.check(query, admitted)
        return try await perform(
            admitted,
            ControlRequest(
                caller: caller?.name,
                parameters: parameters,
                query: query,
                host: request.host,
                origin: request.value(of: "Origin"),
                acceptedTypes: request.acceptedTypes,
                userAgent: request.userAgent,
                content: try await Self.content(of: exchange)
            )
        )
    }

    private func perform(
        _ operation: ControlOperation,
        _ request: ControlRequest
    ) async throws(ControlProblem) -> ControlAnswer {
        guard operation.isSlow else { return try await operation.action(request) }
        return try await withTaskExecutorPreference(slowExecutor) { () async throws(ControlProblem) in
            try await operation.action(request)
        }
    }

    private static func query(
        _ text: String?
    ) throws(ControlProblem) -> [ControlRequest.QueryParameter] {
        if let query = [ControlRequest.QueryParameter](text) { return query }
        throw .value("query", found: "a malformed escape", expected: "% and two hexadecimal digits")
    }

    private static func check(
        _ query: [ControlRequest.QueryParameter],
        _ operation: ControlOperation
    ) throws(ControlProblem) {
        let known = operation.query.map(\.name)
        for parameter in query where !known.contains(parameter.name) {
            let expected = known.isEmpty ? "no parameters" : known.joined(separator: ", ")
            throw ControlProblem.value("query", found: "parameter \"\(parameter.name)\"", expected: expected)
        }
    }

    /// Reads the whole content; the server limits its size.
    private static func content(of exchange: StreamExchange) async throws(ControlProblem) -> [UInt8] {
        var content: [UInt8] = []
        do {
            while let piece = try await exchange.nextPiece() { content += piece }
        } catch {
            let problem = exchange.contentProblem
            throw ControlProblem(
                status: problem?.status ?? 400,
                problem?.explanation ?? "The content ended prematurely."
            )
        }
        return content
    }
}

extension StreamRequest {
    /// The value of `Authorization`; `nil` if it is absent.
    fileprivate var authorization: String? { values(of: FieldName.authorization).first }

    /// The value of `Host`; `nil` if it is absent.
    fileprivate var host: String? { values(of: FieldName.host).first }

    /// The value of `User-Agent`; empty if it is absent.
    fileprivate var userAgent: String { values(of: FieldName.userAgent).first ?? "" }

    /// The media types in `Accept`, without weights and parameters.
    fileprivate var acceptedTypes: [String] {
        values(of: FieldName.accept).flatMap { $0.split(separator: ",") }.map { member in
            let type = member.prefix { $0 != ";" }
            return type.filter { $0 != " " && $0 != "\t" }.lowercased()
        }
    }

    /// Returns the first value of a field; `nil` if it is absent.
    fileprivate func value(of name: String) -> String? { values(of: name).first }

    private func values(of name: String) -> [String] {
        fields.filter { String(decoding: $0.name, as: UTF8.self).isSameFieldName(as: name) }
            .map { String(decoding: $0.value, as: UTF8.self) }
    }
}

extension ControlProblem {
    fileprivate var answer: ControlAnswer {
        var answer = ControlAnswer.json(status: status, json)
        answer.allowedMethods = allowedMethods
        return answer
    }
}

extension ControlAnswer {
    fileprivate var bytes: [UInt8] {
        if case .bytes(let bytes, _) = content { bytes } else { [] }
    }
}
