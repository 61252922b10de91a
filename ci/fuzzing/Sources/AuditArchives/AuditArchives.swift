import FuzzInput
import JSON

@testable import Audit
@testable import HTTPArchive

/// HTTP archives as the audit judges them, in every format of report, and the policy that is drafted from them.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let text = FuzzInput(start, count).text
    guard let archive = try? HTTPArchive(json: text, file: "input.har"), archive.entries.count <= 16 else {
        return 0
    }
    var audit = ArchiveAudit(AuditSettings())
    audit.methods = ["GET", "POST"]
    audit.add(archive)
    audit.addUses(of: archive)
    let report = audit.report
    for kind in AuditReportKind.allCases {
        let page = kind.text(of: report, source: "input.har")
        if kind == .json || kind == .sarif {
            precondition((try? JSONValue(parsing: Array(page.utf8))) != nil, "\(kind) is no JSON")
        }
    }
    draft(report)
    return 0
}

/// A policy that was drafted from a report is read again, and a report's baseline too.
private func draft(_ report: AuditReport) {
    let policy = PolicyDraft(report).text
    do {
        _ = try AuditPolicy.decode(policy, file: "draft.yaml")
    } catch {
        preconditionFailure("\(error) in the drafted policy:\n\(policy)")
    }
    let baseline = AuditBaseline().text(accepting: report)
    do {
        _ = try AuditBaseline(text: baseline, file: "baseline.txt")
    } catch {
        preconditionFailure("\(error) in the baseline:\n\(baseline)")
    }
}
