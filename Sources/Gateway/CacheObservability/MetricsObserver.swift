#if Observability
    public import CacheClient
    public import CacheGateway
    import Clocks
    import CoreMetrics
    import Metrics

    /// Reports loads to swift-metrics: `cache_client_loads`, by `source` and by `status` class; `cache_client_failures`, by
    /// `code`; and the timer `cache_client_duration`, by `source`.
    public struct MetricsObserver: LoadObserver {
        private let label: String

        /// Creates an observer; `label` is the beginning of the metrics' names.
        public init(label: String = "cache_client") { self.label = label }

        /// Reports the end of a load.
        public func observe(_ event: LoadEvent) {
            switch event {
            case .finish(let hops): for hop in hops { report(hop) }
            case .fail(let error):
                Counter(label: label + "_failures", dimensions: [("code", "\(error.code.rawValue)")])
                    .increment()
            case .willSend, .response, .data, .willCache: return
            }
        }

        private func report(_ hop: TransactionMetrics) {
            let source = ("source", hop.source.rawValue)
            let status = ("status", hop.status.map { "\($0 / 100)xx" } ?? "none")
            Counter(label: label + "_loads", dimensions: [source, status]).increment()
            guard let endedAt = hop.endedAt else { return }
            Timer(label: label + "_duration", dimensions: [source]).record(duration: endedAt - hop.startedAt)
        }
    }

    extension GatewayMetrics {
        /// Reports the counts since the start as gauges, such as `cache_gateway_hits`; to be called at intervals.
        public func report(label: String = "cache_gateway") {
            let counts = snapshot
            let values = [
                ("requests", counts.requests), ("hits", counts.hits), ("stale", counts.stale),
                ("validations", counts.validations), ("misses", counts.misses), ("errors", counts.errors),
                ("bytes", counts.contentSize.bytes), ("resent", counts.resent),
            ]
            for (name, value) in values { Gauge(label: "\(label)_\(name)").record(value) }
        }
    }
#endif
