// Re-exports the modules whose types appear in this module's interface.
#if Observability
    @_exported public import CacheGateway
    @_exported public import Logging
#endif
