// Re-exports the modules whose types appear in this module's interface.
@_exported public import Certificates
@_exported public import Clocks
