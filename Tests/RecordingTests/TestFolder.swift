import FoundationEssentials

/// A folder of one test, removed at its end.
final class TestFolder {
    let path: String

    init() throws {
        let number = UInt64.random(in: .min ... .max)
        path = "/tmp/recording-\(String(number, radix: 36))"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit {
        do { try FileManager.default.removeItem(atPath: path) } catch {}
    }

    func text(_ name: String) -> String? {
        FileManager.default.contents(atPath: "\(path)/\(name)").map { String(decoding: $0, as: UTF8.self) }
    }

    func write(_ text: String, to name: String) {
        _ = FileManager.default.createFile(atPath: "\(path)/\(name)", contents: Data(text.utf8))
    }

    /// Every file below the folder, in order.
    var files: [String] {
        names(below: "").sorted()
    }

    private func names(below folder: String) -> [String] {
        do {
            return try FileManager.default.contentsOfDirectory(atPath: path + "/" + folder).flatMap { name in
                [folder + name] + names(below: folder + name + "/")
            }
        } catch {
            return []
        }
    }
}
