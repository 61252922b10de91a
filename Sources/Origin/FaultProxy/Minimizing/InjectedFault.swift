import HTTPServing
import JSON
import OriginScript

/// A fault that has happened to one connection or request, without the chance that it depended on.
package struct InjectedFault: Sendable, Hashable, CustomStringConvertible {
    /// The requests among which one is counted.
    struct Requests: Sendable, Hashable {
        let method: String
        /// The path; `nil` of CONNECT, which has none.
        let path: String?
        /// The value of `Host`; `nil` if it does not matter, as behind a proxy with one upstream.
        var host: String?
    }
    /// The message or connection that it affected.
    enum Place: Sendable, Hashable {
        /// The connection with this number.
        case connection(Int)
        /// The request with this number, from 1, among some.
        case request(Requests, number: Int)
    }
    let place: Place
    /// The action at its event and byte, for every connection or request.
    let fault: Fault

    /// The place and the fault: `GET /big.bin, request 3: reset@body:20000`.
    package var description: String {
        switch place {
        case .connection(let number): "connection \(number): \(fault)"
        case .request(let requests, let number): "\(requests), request \(number): \(fault)"
        }
    }

    /// Simpler faults at the same place, the simplest first: at the first byte, or with half of the time.
    package var simpler: [InjectedFault] {
        var simpler: [Fault] = []
        if case .byte(let span) = fault.point, span.low > 0 {
            var first = fault
            first.point = .byte(RandomRange(0))
            simpler.append(first)
        }
        if let action = shorter {
            var short = fault
            short.action = action
            simpler.append(short)
        }
        return simpler.map { InjectedFault(place: place, fault: $0) }
    }

    /// The action with half of its time, in whole milliseconds; `nil` if it has none, or the least.
    private var shorter: FaultAction? {
        func half(_ span: RandomRange<Duration>) -> RandomRange<Duration>? {
            let milliseconds = Int(span.low / .milliseconds(2))
            return milliseconds > 0 ? RandomRange(.milliseconds(milliseconds)) : nil
        }
        switch fault.action {
        case .delay(let span): return half(span).map { .delay($0) }
        case .stall(.time(let span)): return half(span).map { .stall(.time($0)) }
        default: return nil
        }
    }
}

/// The reason why faults of a run cannot be minimized.
package struct MinimizingProblem: Error, Sendable, Hashable, CustomStringConvertible {
    /// One sentence.
    package let description: String
}

extension InjectedFault.Requests: CustomStringConvertible {
    /// Method, host and path, such as `GET /a` or `CONNECT example.com:443`.
    var description: String { "\(method) \(host ?? "")\(path ?? "")" }

    /// Creates the requests like the one of an entry; of several hosts, only those with the same `Host`.
    fileprivate init(like entry: JournalEntry, ofSeveralHosts: Bool) {
        method = entry.method
        path = entry.method == "CONNECT" ? nil : TargetParts(entry.target).path
        host = ofSeveralHosts ? HeadBytes(entry.requestHead).values(FieldName.host).first : nil
    }
}

extension InjectedFault {
    /// Returns the injected faults that a journal records, in the order of the requests.
    static func all(in journal: [JournalEntry], ofSeveralHosts: Bool) throws(MinimizingProblem)
        -> [InjectedFault]
    {
        var counts: [Requests: Int] = [:]
        var all: [InjectedFault] = []
        for entry in journal {
            let requests = Requests(like: entry, ofSeveralHosts: ofSeveralHosts)
            if entry.number > 0 { counts[requests, default: 0] += 1 }
            let number = counts[requests] ?? 0
            for text in entry.injected {
                let fault = try Self.fault(text, of: entry)
                let place: Place =
                    fault.event.isOfConnection
                    ? .connection(connection(of: entry)) : .request(requests, number: number)
                all.append(InjectedFault(place: place, fault: fault))
            }
        }
        return all
    }

    private static func fault(_ text: String, of entry: JournalEntry) throws(MinimizingProblem) -> Fault {
        do throws(FaultTextProblem) {
            return try Fault(text: text)
        } catch {
            throw MinimizingProblem(
                description:
                    "\(entry.method) \(entry.target): found \"\(text)\" by a rule, expected faults such as reset@body:20000"
            )
        }
    }

    /// Returns the number in `connection#3 request#1`.
    private static func connection(of entry: JournalEntry) -> Int {
        Int(entry.name.drop { $0 != "#" }.dropFirst().prefix { $0.isNumber }) ?? 0
    }
}

extension [InjectedFault] {
    /// The faults as the text of a file of rules, which inject them into the same connections and requests.
    package var ruleFile: String {
        var lines: [String] = []
        var faults: [InjectedFault.Requests: [Int: [Fault]]] = [:]
        var order: [InjectedFault.Requests] = []
        for element in self {
            guard case .request(let requests, let number) = element.place else { continue }
            if faults[requests] == nil { order.append(requests) }
            faults[requests, default: [:]][number, default: []].append(element.fault)
        }
        if !order.isEmpty || isEmpty { lines.append(order.isEmpty ? "rules: []" : "rules:") }
        for requests in order { lines += Self.lines(requests, faults[requests] ?? [:]) }
        let ofConnections = compactMap { element -> String? in
            guard case .connection(let number) = element.place else { return nil }
            var fault = element.fault
            fault.requests = number...number
            return "  - \(Self.quoted(fault.description))"
        }
        if !ofConnections.isEmpty { lines += ["faults:"] + ofConnections }
        return lines.joined(separator: "\n") + "\n"
    }

    private static func lines(_ requests: InjectedFault.Requests, _ faults: [Int: [Fault]]) -> [String] {
        let texts = faults.mapValues { quoted($0.map(\.description).joined(separator: "; ")) }
        let last = texts.keys.max() ?? 0
        var start = ["  - method: \(quoted(requests.method))"]
        if let path = requests.path {
            let isPattern = path.contains { "{}*".contains($0) }
            start.append("    path: \(isPattern ? "{exact: \(quoted(path))}" : quoted(path))")
        }
        if let host = requests.host { start.append("    fields: {Host: \(quoted(host))}") }
        if let only = texts.first, texts.count == 1 {
            return start + ["    requests: \(only.key)", "    answer: \(only.value)"]
        }
        return start + ["    answers:"] + (1...last + 1).map { "      - \(texts[$0] ?? "pass")" }
    }

    private static func quoted(_ text: String) -> String { JSONValue.string(text).written() }
}

extension FaultProxy {
    /// Returns the faults injected since the start or the last reset; throws if they cannot be written as faults of
    /// rules, or are no longer known.
    package func injectedFaults() throws(MinimizingProblem) -> [InjectedFault] {
        let (entries, dropped) = context.journal?.entries ?? ([], 0)
        guard dropped == 0 else {
            throw MinimizingProblem(description: "found more than 10,000 requests, expected fewer")
        }
        return try InjectedFault.all(in: entries, ofSeveralHosts: context.forwards)
    }
}
