/// An event of a transfer: progress, any number of times, and then its result.
#if hasAttribute(nonexhaustive)
    @nonexhaustive
#endif
public enum TransferEvent<Result: Sendable>: Sendable {
    /// So much has been transferred. A consumer that is slower than the transfer gets the latest only.
    case progress(TransferProgress)
    /// The transfer is complete.
    case finished(Result)
}

extension Downloads {
    /// Downloads a file and returns its progress as it happens, and then the file at its destination.
    ///
    /// The download begins at once. The sequence throws `DownloadFailure`; ending the iteration cancels the download, unless
    /// it is detached.
    public func events(
        of request: DownloadRequest
    ) -> AsyncThrowingStream<TransferEvent<DownloadedFile>, any Error> {
        AsyncThrowingStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
            do throws(DownloadFailure) {
                try start(request, progress: { continuation.yield(.progress($0)) }) { result in
                    continuation.end(with: result)
                }
            } catch {
                return continuation.finish(throwing: error)
            }
            continuation.onTermination = { [weak self] reason in
                if case .cancelled = reason, !request.isDetached { self?.cancel(request.path) }
            }
        }
    }
}

extension FetchSession {
    /// Uploads images or files and returns the progress as it happens, and then the response; see `upload(_:progress:)`.
    ///
    /// The upload begins at once. The sequence throws `UploadFailure`; ending the iteration cancels the upload.
    public func events(of upload: Upload) -> AsyncThrowingStream<TransferEvent<FetchResponse>, any Error> {
        AsyncThrowingStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
            let task = Task {
                do throws(UploadFailure) {
                    let response = try await self.upload(upload) { continuation.yield(.progress($0)) }
                    continuation.end(with: Swift.Result<FetchResponse, UploadFailure>.success(response))
                } catch {
                    continuation.finish(throwing: error)
                }
            }
            continuation.onTermination = { _ in task.cancel() }
        }
    }
}

extension AsyncThrowingStream.Continuation where Failure == any Error {
    /// Yields the result of a transfer, or throws its failure, and ends the sequence.
    fileprivate func end<Value>(with result: Swift.Result<Value, some Error>)
    where Element == TransferEvent<Value> {
        switch result {
        case .success(let value):
            yield(.finished(value))
            finish()
        case .failure(let error): finish(throwing: error)
        }
    }
}
