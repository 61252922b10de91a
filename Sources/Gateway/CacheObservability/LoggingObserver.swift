#if Observability
    public import CacheClient
    import HTTPTypes
    public import Logging

    /// Logs the events of loads: responses at `debug` with their source, failures at `error`, or at `debug` if the caller
    /// cancelled.
    public struct LoggingObserver: LoadObserver {
        private let logger: Logger

        /// Creates an observer that logs with a logger.
        public init(_ logger: Logger) { self.logger = logger }

        /// Logs an event with the number of its load.
        public func observe(_ event: LoadEvent, of load: LoadID) {
            var logger = logger
            logger[metadataKey: "load"] = "\(load)"
            switch event {
            case .willSend(let request, _):
                logger.trace(
                    "will load",
                    metadata: ["method": "\(request.method)", "url": "\(request.target)"]
                )
            case .response(let head, let source):
                logger.trace(
                    "response",
                    metadata: ["status": "\(head.status.code)", "source": "\(source.rawValue)"]
                )
            case .data, .willCache: return
            case .finish(let transactions):
                for transaction in transactions { logger.debug("loaded", metadata: transaction.metadata) }
            case .fail(let error):
                let level: Logger.Level = error.isCancellation ? .debug : .error
                logger.log(
                    level: level,
                    "not loaded",
                    metadata: ["url": "\(error.url)", "error": "\(error)"]
                )
            }
        }
    }

    extension TransactionMetrics {
        fileprivate var metadata: Logger.Metadata {
            var metadata: Logger.Metadata = [
                "url": "\(url)", "source": "\(source.rawValue)", "bytes": "\(contentSize.bytes)",
            ]
            if let status { metadata["status"] = "\(status)" }
            if let endedAt { metadata["duration"] = "\(endedAt - startedAt)" }
            return metadata
        }
    }

    extension HTTPRequest {
        fileprivate var target: String { "\(scheme ?? "")://\(authority ?? "")\(path ?? "")" }
    }
#endif
