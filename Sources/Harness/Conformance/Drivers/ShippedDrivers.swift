/// The drivers in `fixtures/drivers`, by name: `NAME.driver.EXTENSION`.
public enum ShippedDrivers {
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

    /// Returns a shell's command as the program and its arguments.
    public static func shell(_ command: String) -> [String] { ["/bin/sh", "-c", "exec " + command] }

    /// File names by the names of drivers.
    private static var files: [String: String] {
        let drivers = DriverFiles.names.filter { name in runners.keys.contains { name.hasSuffix($0) } }
        return Dictionary(drivers.map { (String($0.prefix { $0 != "." }), $0) }) { first, _ in first }
    }
}
