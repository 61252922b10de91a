import Ccurl
import CLibrary

/// The location of the certificates of the authorities that the system trusts.
///
/// A file is read completely for each new connection, which takes longer than the rest of connecting; in a folder,
/// only the certificate that is needed is looked up. So the file is left out if the folder has as many certificates.
struct SystemAuthorities: Sendable {
    /// A file of all certificates in PEM; `nil` if there is none, or if the folder suffices.
    let file: String?
    /// A folder of files that are named by the hash of their subject's name; `nil` if there is none.
    let folder: String?

    /// The authorities that libcurl was built to trust.
    static let known = SystemAuthorities(
        file: cachecheck_default_ca_file().map { String(cString: $0) },
        folder: cachecheck_default_ca_folder().map { String(cString: $0) }
    )

    /// Creates the locations, after counting the certificates in both.
    init(file: String?, folder: String?) {
        self.folder = folder
        let inFolder = folder.map(Self.countOfNames) ?? 0
        let isCovered = inFolder > 0 && file.map(Self.countOfCertificates) == inFolder
        self.file = isCovered ? nil : file
    }

    /// Returns the number of names in a folder that consist of a hash and a number, as OpenSSL looks them up.
    private static func countOfNames(inFolder path: String) -> Int {
        guard let folder = opendir(path) else { return 0 }
        defer { closedir(folder) }
        var count = 0
        while let entry = readdir(folder) {
            if isHashed(Array(entry.name.utf8)) { count += 1 }
        }
        return count
    }

    private static func isHashed(_ name: [UInt8]) -> Bool {
        let parts = name.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count == 2, parts[0].count == 8, !parts[1].isEmpty else { return false }
        return parts[0].allSatisfy { isxdigit(CInt($0)) != 0 }
            && parts[1].allSatisfy { (48...57).contains($0) }
    }

    /// Returns the number of PEM certificates in a file; 0 if it cannot be read.
    private static func countOfCertificates(inFile path: String) -> Int {
        guard let file = fopen(path, "r") else { return 0 }
        defer { fclose(file) }
        let beginning = "-----BEGIN "
        var (count, line, size) = (0, UnsafeMutablePointer<CChar>?.none, 0)
        defer { free(line) }
        while getline(&line, &size, file) > 0 {
            if let line, strncmp(line, beginning, beginning.utf8.count) == 0 { count += 1 }
        }
        return count
    }
}
