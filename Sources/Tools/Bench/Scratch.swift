import CLibrary

/// A temporary folder, which exists until it is removed.
struct Scratch {
    let path: String

    init() throws(Failure) {
        var template = Array("/tmp/cachecheck-bench-XXXXXX".utf8CString)
        guard let made = mkdtemp(&template) else {
            throw Failure(status: 70, text: "cannot make a folder in /tmp")
        }
        path = String(cString: made)
        // nginx's workers run as another user if the master runs as root.
        chmod(path, 0o755)
    }

    /// Writes a file and returns its path.
    func write(_ name: String, _ text: String) throws(Failure) -> String {
        let file = "\(path)/\(name)"
        guard let opened = fopen(file, "w"), fputs(text + "\n", opened) >= 0, fclose(opened) == 0 else {
            throw Failure(status: 70, text: "cannot write \(file)")
        }
        return file
    }

    /// Removes the folder and its contents.
    func remove() { Processes.run("rm", ["-rf", path]) }
}
