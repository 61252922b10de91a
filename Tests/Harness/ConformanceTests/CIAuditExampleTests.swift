import CLibrary
import LocatedYAML
import Testing
import TestSupport

@testable import Conformance

@Suite("CI examples of audits", .timeLimit(.minutes(20)), .blocking)
struct CIAuditExampleTests {
    private static let folder = packageFolder + "/.build/debug"
    private static let isBuilt = access(folder + "/cachecheck", X_OK) == 0

    /// The command of each example, and a path that its other steps read.
    static let examples: [(name: String, path: String)] = [
        ("github-audit.yml", "build/audit/audit.sarif"), ("gitlab-audit.yml", "build/audit/audit.xml"),
        ("Jenkinsfile.audit", "build/audit/audit.xml"),
    ]

    /// Returns the command of an example that runs the audit.
    private func command(_ name: String) throws -> String {
        let text = try CIExample.text(name)
        let line = text.split(separator: "\n").first { $0.contains("audit.sh http") }
        let start = try #require(line?.firstRange(of: "sh ci/examples")?.lowerBound)
        return String(try #require(line)[start...].filter { $0 != "'" })
    }

    private static let policy = """
        rules:
          - name: pages
            match: {type: text/html, status: 200}
            expect: {shared: not-stored, private: revalidates, conditional: 304}
        """

    private func site(_ cacheControl: String) -> String {
        """
        - path: /
          answer: {content-type: text/html, body: <!doctype html><title>A page</title>, etag: md5, cache-control: '\(cacheControl)'}
        """
    }

    /// Runs an example against a site with a Cache-Control of pages; returns its output, with the exit status at the end.
    private func run(_ name: String, _ cacheControl: String, in folder: ScratchFolder) throws -> String {
        let port = try OwnPort.next()
        try ProgramFiles.write(Self.policy, to: folder.path + "/policy.yaml")
        try ProgramFiles.write(site(cacheControl), to: folder.path + "/site.yaml")
        let own = try command(name).replacing("127.0.0.1:8080", with: "127.0.0.1:\(port)").replacing(
            "ci/cache-policy.yaml",
            with: "policy.yaml"
        )
        let script = """
            cd \(folder.path) && ln -sfn \(packageFolder)/ci ci && export PATH=\(Self.folder):$PATH \
            GITHUB_STEP_SUMMARY=summary.md SERVE='cachecheck serve --config site.yaml --port \(port)'; \(own) 2>&1; \
            printf 'exit %s' $?
            """
        return ProgramFiles.output(of: script) ?? "nothing"
    }

    @Test(
        "The job passes for pages as the policy expects them, and writes what its other steps read",
        .enabled(if: isBuilt, "cachecheck is not built"),
        arguments: examples
    )
    func satisfied(name: String, path: String) throws {
        let folder = try ScratchFolder(holdsPrograms: true)
        let output = try run(name, "private, no-cache", in: folder)
        #expect(output.hasSuffix("exit 0"), "\(output)")
        for file in [path, "summary.md", "build/audit/pages/index.html"] {
            #expect(access("\(folder.path)/\(file)", R_OK) == 0, "\(file)")
        }
    }

    @Test(
        "A change that makes pages shareable fails the job, and each report has the page, the expectation and the correction",
        .enabled(if: isBuilt, "cachecheck is not built"),
        arguments: examples
    )
    func shareable(name: String, path: String) throws {
        let folder = try ScratchFolder(holdsPrograms: true)
        let output = try run(name, "public, max-age=300", in: folder)
        #expect(output.hasSuffix("exit 1"), "\(output)")
        let files = [path, "summary.md"].map { ProgramFiles.text("\(folder.path)/\($0)") ?? "" }
        for text in [output] + files {
            for part in [
                "pages: shared: expected not-stored", "Cache-Control: no-cache, private", "policy.yaml",
            ] {
                #expect(text.contains(part), "\(part) is missing in:\n\(text)")
            }
        }
    }
}
