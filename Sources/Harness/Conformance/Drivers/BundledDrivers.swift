/// The drivers in `fixtures/drivers`, by name: `NAME.driver.EXTENSION`.
public enum BundledDrivers {
    /// The commands that start drivers by file extension; the file's path is appended.
    private static let runners = [
        ".driver.py": "python.sh", ".driver.swift": "swift.sh", ".driver.mjs": "node.sh", ".driver.sh": "",
    ]
    /// The driver of our own client, which needs no file.
    private static let own = "cachecheck"
    /// The names in alphabetical order.
    public static var names: [String] { ([own] + files.keys).sorted() }

    /// Returns the command that starts a driver.
    public static func command(_ name: String) throws(SubjectError) -> [String] {
        if name == own { return [ProgramFiles.executable, "driver", "serve"] }
        guard let file = files[name] else { throw SubjectError("there is no driver \(name)") }
        let folder = try DriverFiles.folder()
        let runner = runners.first { file.hasSuffix($0.key) }?.value ?? ""
        return runner.isEmpty
            ? ["/bin/sh", "\(folder)/\(file)"] : ["/bin/sh", "\(folder)/\(runner)", "\(folder)/\(file)"]
    }

    /// The programs that drivers in a language need.
    private static let interpreters = [
        ".driver.py": RequiredProgram(name: "python3", package: "python3-venv"),
        ".driver.swift": RequiredProgram(name: "swiftc", package: "a Swift toolchain"),
        ".driver.mjs": RequiredProgram(name: "node", package: "nodejs"),
    ]

    /// The programs that each driver needs, in the order of the alphabet.
    static var needs: [(name: String, programs: [RequiredProgram])] {
        files.sorted { $0.key < $1.key }.map { name, file in
            let own = table.first { $0.name == name }?.programs ?? []
            return (name, own + interpreters.filter { file.hasSuffix($0.key) }.values)
        }
    }

    /// Returns a shell's command as the program and its arguments.
    public static func shell(_ command: String) -> [String] { ["/bin/sh", "-c", "exec " + command] }

    /// File names by the names of drivers.
    private static var files: [String: String] {
        let drivers = DriverFiles.names.filter { name in runners.keys.contains { name.hasSuffix($0) } }
        return Dictionary(drivers.map { (String($0.prefix { $0 != "." }), $0) }) { first, _ in first }
    }
}
