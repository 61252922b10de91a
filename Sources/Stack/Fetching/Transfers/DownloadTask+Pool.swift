/// A download's entry in the pool, and its events.
extension DownloadTask {
    /// Adds the download to the pool before its first event.
    func enter(_ pool: RequestPool) {
        pool.add(
            model,
            state: { [weak self] in self?.poolState ?? .running },
            cancel: { [weak self] in self?.stop(.cancelled) }
        )
        publish(.created(model))
    }

    /// Removes the ended download from the pool before its callback is called.
    func leave(_ pool: RequestPool, _ result: Result<DownloadedFile, DownloadFailure>) {
        pool.remove(model.id)
        if case .failure(let failure) = result { publish(.failed(model, failure.error.of(model))) }
    }

    /// Publishes that the callback has returned.
    func publishCompleted() { publish(.completed(model)) }
}
