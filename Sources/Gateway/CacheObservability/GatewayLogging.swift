#if Observability
    public import CacheGateway
    public import Logging

    extension Gateway.Configuration {
        /// Logs each exchange of the gateway with a logger: at `info`, at `error` if the status is 5xx, and at `debug` if the caller
        /// disconnected before the end.
        ///
        /// The target is logged with its query. Replaces `onExchange`.
        public mutating func logExchanges(with logger: Logger) {
            onExchange = { exchange in
                logger.log(level: exchange.level, "exchange", metadata: exchange.metadata)
            }
        }
    }

    extension GatewayExchange {
        fileprivate var level: Logger.Level {
            if let status, status >= 500 { return .error }
            return isComplete ? .info : .debug
        }

        fileprivate var metadata: Logger.Metadata {
            var metadata: Logger.Metadata = [
                "request": "\(requestLine)", "bytes": "\(contentSize.bytes)", "duration": "\(duration)",
            ]
            if let status { metadata["status"] = "\(status)" }
            if let cacheStatus { metadata["cache-status"] = "\(cacheStatus)" }
            return metadata
        }
    }
#endif
