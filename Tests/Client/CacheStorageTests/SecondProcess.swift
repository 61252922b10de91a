import CacheStorage
import CLibrary

/// Another process of this test program, which runs one test.
enum SecondProcess {
    private static let variable = "CACHE_STORAGE_SECOND_PROCESS"

    /// The folder that the process was given; `nil` in the first one.
    static var folder: String? { getenv(variable).map { String(cString: $0) } }

    /// Runs one test in a separate process; returns its exit status.
    static func run(_ test: String, _ folder: String) throws -> Int32 {
        var arguments = CommandLine.arguments.prefix(1) + ["--testing-library", "swift-testing"]
        arguments += ["--filter", test]
        var environment = ["\(variable)=\(folder)"]
        for name in ["PATH", "LD_LIBRARY_PATH", "HOME"] {
            if let value = getenv(name) { environment.append(name + "=" + String(cString: value)) }
        }
        var process: pid_t = 0
        let code = withCStrings(Array(arguments)) { arguments in
            withCStrings(environment) { environment in
                posix_spawn(&process, "/proc/self/exe", nil, nil, arguments, environment)
            }
        }
        guard code == 0 else {
            throw StorageError(operation: "run", path: "/proc/self/exe", reason: "error \(code)")
        }
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
        return status
    }

    private static func withCStrings<Result>(
        _ texts: [String],
        _ body: ([UnsafeMutablePointer<CChar>?]) -> Result
    ) -> Result {
        let pointers = texts.map { strdup($0) }
        defer { for pointer in pointers { free(pointer) } }
        return body(pointers + [nil])
    }
}
