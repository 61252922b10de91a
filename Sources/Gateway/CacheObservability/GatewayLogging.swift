#if Observability
    public import CacheGateway
    public import Logging

    extension Gateway.Configuration {
        /// Logs each exchange of the gateway with a logger: at `info`, at `error` if the status is 5xx, and at `debug` if
        /// the caller disconnected before the end.
        ///
        /// The target is logged with its query. An entry that could not be written to the cache's folder, or was lost or damaged
        /// there, is logged at `warning` with its URL. Replaces `onExchange` and `onStorageDamage`.
        public mutating func logExchanges(with logger: Logger) {
            onStorageDamage = { damage in
                logger.warning(
                    "storage",
                    metadata: ["subject": "\(damage.subject)", "reason": "\(damage.reason)"]
                )
            }
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
