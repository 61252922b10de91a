import Glibc

/// What a command of the program returns in the place of figures.
struct Failure: Error {
    var text: String
}

/// Figures of what was found right, a row each.
enum Report {
    static func row(_ name: String, _ figures: String) {
        let padding = String(repeating: " ", count: max(1, 44 - name.count))
        print("ok   \(name)\(padding)\(figures)")
        // It is there to be read as soon as it is known.
        fflush(nil)
    }
}
