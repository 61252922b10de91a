/// A download among the running requests, and what monitors are told of it.
extension DownloadTask {
    /// Is in the pool before anything of it happens.
    func enter(_ pool: RequestPool) {
        pool.add(
            model,
            state: { [weak self] in self?.poolState ?? .running },
            cancel: { [weak self] in self?.stop(.cancelled) }
        )
        tell(.created(model))
    }

    /// Leaves the pool, having ended, before its callback.
    func leave(_ pool: RequestPool, _ result: Result<DownloadedFile, DownloadFailure>) {
        pool.remove(model.id)
        if case .failure(let failure) = result { tell(.failed(model, failure.error.of(model))) }
    }

    /// Tells monitors that its callback has returned.
    func tellCompleted() { tell(.completed(model)) }
}
