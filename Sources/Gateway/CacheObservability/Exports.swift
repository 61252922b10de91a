// The modules of the types in this module's interface, so that one import is enough for a program.
#if Observability
    @_exported public import CacheGateway
    @_exported public import Logging
#endif
