import FuzzInput
@testable import OriginScript

/// Faults and networks as options, queries and headers have them; patterns, paths and templates of routes.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let (line, rest) = FuzzInput(start, count).firstLineAndRest
    _ = try? Fault.list(text: line)
    _ = try? NetworkSchedule(text: line)
    _ = PathTemplate(line)?.parameters(of: rest.lines)
    _ = TextPattern(line)?.matches(rest.text)
    _ = Template(line)?.text { _ in rest.text }
    _ = JSONPath(line)
    _ = DecisionLog(text: rest.text)
    return 0
}
