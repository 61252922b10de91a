import CLibrary

/// The failure of a command of the program.
struct Failure: Error {
    var text: String
}

/// The figures of successful checks, one row each.
enum Report {
    static func row(_ name: String, _ figures: String) {
        let padding = String(repeating: " ", count: max(1, 44 - name.count))
        print("ok   \(name)\(padding)\(figures)")
        // Flushed so that each figure can be read as soon as it is known.
        fflush(nil)
    }
}
