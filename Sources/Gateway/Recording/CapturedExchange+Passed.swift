public import FaultProxy

extension CapturedExchange {
    /// Creates the exchange that a proxy has passed.
    public init(_ passed: PassedExchange) {
        self.init(
            method: passed.method,
            origin: passed.origin,
            target: passed.target,
            response: Response(passed.response),
            at: passed.startedSeconds
        )
        requestFields = passed.fields.map { Field($0.name, $0.value) }
        requestBody = passed.content
        interim = passed.interim.map { Response($0) }
        (answeredSeconds, duration) = (passed.answeredSeconds, passed.duration)
    }
}

extension CapturedExchange.Response {
    fileprivate init(_ passed: PassedExchange.Response) {
        self.init(
            status: passed.status,
            reason: passed.reason,
            fields: passed.fields.map { CapturedExchange.Field($0.name, $0.value) },
            body: passed.content
        )
    }
}
