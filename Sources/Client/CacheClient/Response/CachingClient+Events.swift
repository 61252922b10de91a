extension CachingClient {
    /// Loads a request and returns its events as they happen; the last is `finish` or `fail`.
    ///
    /// The load begins at once. Ending the iteration cancels it. Content is not held back by a slow reader: use
    /// `stream(_:observer:)` for large content.
    public func events(of request: ClientRequest) -> AsyncStream<LoadEvent> {
        AsyncStream { continuation in
            let task = Task(executorPreference: transport.executor) {
                // The error is the last event.
                _ = try? await self.fetch(request, observer: StreamedEvents(continuation: continuation))
                continuation.finish()
            }
            continuation.onTermination = { _ in task.cancel() }
        }
    }
}

/// Passes the events of a load on to a sequence.
private struct StreamedEvents: LoadObserver {
    let continuation: AsyncStream<LoadEvent>.Continuation

    func observe(_ event: LoadEvent) { continuation.yield(event) }
}
