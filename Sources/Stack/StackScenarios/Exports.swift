// What reads scenarios in this module's language, and what runs them, so that one import is enough for a program.
@_exported public import Conformance
@_exported public import LocatedYAML
@_exported public import Scenarios
