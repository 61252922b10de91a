import CLibrary

/// The workflow of GitHub that runs this program.
enum GitHubWorkflow {
    /// Whether a file is in the repository that is checked out, which is the current folder, and not bundled with this
    /// program.
    static func contains(_ file: String) -> Bool { !file.hasPrefix("/") && access(file, F_OK) == 0 }

    /// Its file, relative to the root of the repository; `nil` outside a workflow.
    ///
    /// GITHUB_WORKFLOW_REF is `OWNER/REPOSITORY/.github/workflows/ci.yml@refs/heads/main`.
    static var file: String? {
        guard let text = getenv("GITHUB_WORKFLOW_REF").map({ String(cString: $0) }) else { return nil }
        let path = text.prefix { $0 != "@" }.split(separator: "/").dropFirst(2).joined(separator: "/")
        return path.hasPrefix(".github/") ? path : nil
    }
}
